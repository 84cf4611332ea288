/** How much work a command line can make. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "../../kit/fixtures/patience.ts";
import { addCommands } from "./command-forms.ts";
import { saidOf } from "./said-of-call.ts";

/** What a search does where nothing limits it. */
const workFor = (line: string) => {
  const forms = new Set<string>();
  const work = { forms, adds: 0, characters: 0, isClear: false };
  work.isClear = addCommands(line, {
    isFull: false,
    add: (form) => {
      work.adds += 1;
      forms.add(form);
    },
    spend: (characters) => {
      work.characters += characters;
    },
  });
  return work;
};

const N = 200;
const CHAINS = [
  "sudo -a ",
  "env -a b ",
  "xargs -a -b ",
  "timeout -k 1 ",
  "find -exec ",
  "nice -n sudo -u ",
  "flock -a -b c ",
].map((link) => link.repeat(N));

test("[SES-70] each word is looked at once, however many programs may run the command that begins there", () => {
  for (const chain of CHAINS) {
    const line = `${chain}rm x`;
    const words = line.split(" ").length;
    const { adds, characters } = workFor(line);
    assert.ok(adds <= 3 * words + 10, `${adds} forms: ${line.slice(0, 20)}`);
    assert.ok(characters <= words * line.length, line.slice(0, 20));
  }
  const { forms, isClear } = workFor(`${"sudo -a ".repeat(N)}rm x`);
  assert.ok(forms.has("rm x") && isClear, "two levels, by the shortest way");
});

test("[SES-70] a sink that is full ends the search, and the line is not clear", () => {
  for (const chain of CHAINS) {
    let read = 0;
    const sink = {
      isFull: false,
      add: () => undefined,
      spend: (characters: number) => {
        read += characters;
        sink.isFull ||= read > 10_000;
      },
    };
    assert.equal(addCommands(`${chain}rm x`, sink), false);
    assert.ok(read <= 10_000 + chain.length + 10, `${read} characters`);
  }
});

test("[SES-70] neither a chain of programs nor many texts that look alike hold up the server", () => {
  const blanks = Array.from({ length: 5000 }, (_, n) =>
    n.toString(2).replaceAll("0", " ").replaceAll("1", "\t"),
  );
  const inputs = [
    ...CHAINS.map((command) => ({ command })),
    { command: "ls", query: CHAINS.join(" ") },
    { command: `trap ${blanks.map((each) => `'${each}a'`).join(" ")}` },
  ];
  for (const input of inputs) {
    const began = performance.now();
    saidOf(
      {
        title: "Terminal",
        tool_kind: "execute",
        tool_name: "Bash",
        tool: { id: "t1", input },
        options: [],
      },
      null,
    );
    const took = performance.now() - began;
    assert.ok(
      took < patience(500),
      `${took} ms: ${JSON.stringify(input).slice(0, 40)}`,
    );
  }
});
