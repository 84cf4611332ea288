import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { RECEIVE, KNOCK } from "./scripts.ts";
import { quoted, shellCommand } from "./shell-words.ts";

const HOSTILE = [
  "",
  "a b",
  "$(touch /tmp/no)",
  "`touch /tmp/no`",
  "'; touch /tmp/no; '",
  '"$HOME"',
  "~/x",
  "-rf",
  "*",
  "a&b|c>d;e#f",
  "''''",
  "ü",
];

test("[SSH-2] a word reaches a program on the host as it is, whatever is in it", () => {
  for (const shell of ["/bin/sh", "/bin/bash"]) {
    const command = `printf "%s|" ${HOSTILE.map(quoted).join(" ")}`;
    const { stdout } = spawnSync(shell, ["-c", command], { encoding: "utf8" });
    assert.equal(stdout, HOSTILE.map((word) => `${word}|`).join(""));
  }
});

test("[SSH-2] what shells read differently is no word", () => {
  for (const word of ["a\nb", "a\0b", "a\\b", "a!b", "\u001b[2J"])
    assert.throws(() => quoted(word), TypeError, word);
});

test("[SSH-2] a script becomes one line, and its arguments are words of it", () => {
  const script = `
    for word in "$@"; do
      printf "%s|" "$word";
    done
  `;
  const command = shellCommand(script, HOSTILE);
  assert.ok(!command.includes("\n"));
  const { stdout } = spawnSync("/bin/sh", ["-c", command], {
    encoding: "utf8",
  });
  assert.equal(stdout, HOSTILE.map((word) => `${word}|`).join(""));
});

test("[SSH-2] our scripts are scripts of sh", () => {
  for (const script of [KNOCK, RECEIVE]) {
    shellCommand(script, []);
    const line = script.trim().replaceAll(/\n\s*/g, " ");
    const { stderr } = spawnSync("/bin/sh", ["-n", "-c", line], {
      encoding: "utf8",
    });
    assert.equal(stderr, "");
  }
});
