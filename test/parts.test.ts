/** `npm run parts` with an `apt-get` that only writes down what it was asked for. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

const parts = resolve(import.meta.dirname, "../scripts/parts");
const everything = [
  "git",
  "chromium",
  "bwrap",
  "dockerd",
  "iptables",
  "sshd",
  "mmdebstrap",
];

test("installs nothing where everything is there", async (t) => {
  const machine = await machineWith(t, everything);
  const { code, printed } = await machine.run({ CI: "true" });
  assert.deepEqual([code, await machine.asked()], [0, []]);
  assert.match(printed, /All parts of the tests are installed/);
});

test("in CI, and with --yes, what is missing is installed without a question", async (t) => {
  const machine = await machineWith(t, [
    "git",
    "google-chrome",
    "bwrap",
    "iptables",
    "sshd",
  ]);
  const wanted = [
    "-o DPkg::Lock::Timeout=600 update",
    "-o DPkg::Lock::Timeout=600 install --yes --no-install-recommends docker.io mmdebstrap",
  ];
  const inCi = await machine.run({ CI: "true" });
  assert.deepEqual([inCi.code, await machine.asked()], [0, wanted]);
  assert.match(inCi.printed, /dockerd is missing \(containers\)/);
  const told = await machine.run({}, ["--yes"]);
  assert.deepEqual(
    [told.code, await machine.asked()],
    [0, [...wanted, ...wanted]],
  );
});

test("elsewhere it asks first, and takes everything but a yes for a no", async (t) => {
  const machine = await machineWith(t, ["git"]);
  for (const answer of ["n\n", "", "perhaps\n"]) {
    const { code, printed } = await machine.run({}, [], answer);
    assert.deepEqual([code, await machine.asked()], [1, []]);
    assert.match(
      printed,
      /Install chromium bubblewrap openssh-server docker\.io iptables mmdebstrap with apt-get\?/,
    );
  }
  assert.equal((await machine.run({}, [], "y\n")).code, 0);
  assert.equal((await machine.asked()).length, 2);
});

test("a failed installation, a machine without apt-get and unknown words are failures", async (t) => {
  const broken = await machineWith(t, ["git"], "exit 100");
  assert.equal((await broken.run({ CI: "true" })).code, 1);
  const other = await machineWith(t, ["git"], null);
  const { code, printed } = await other.run({ CI: "true" });
  assert.equal(code, 1);
  assert.match(
    printed,
    /by hand.*: chromium bubblewrap openssh-server docker\.io iptables mmdebstrap/,
  );
  assert.equal((await other.run({}, ["--no"])).code, 2);
});

/** A machine whose programs are these and the few that the script itself runs. */
const machineWith = async (
  t: TestContext,
  programs: readonly string[],
  apt: string | null = "",
) => {
  const directory = await mkdtemp(join(tmpdir(), "parts-"));
  t.after(() => rm(directory, { recursive: true }));
  const log = join(directory, "asked");
  await writeFile(log, "");
  const program = async (name: string, script: string): Promise<void> => {
    await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(directory, name), 0o755);
  };
  for (const name of programs) await program(name, "");
  await program("id", "echo 0");
  if (apt !== null) await program("apt-get", `echo "$*" >>'${log}'\n${apt}`);
  await symlink("/usr/bin/env", join(directory, "env"));
  return {
    asked: async () =>
      (await readFile(log, "utf8")).split("\n").filter((line) => line !== ""),
    run: async (
      env: Record<string, string>,
      words: readonly string[] = [],
      typed = "",
    ) => {
      const child = spawn("/bin/sh", [parts, ...words], {
        env: { ...env, PATH: directory },
      });
      child.stdin.on("error", () => undefined);
      child.stdin.end(typed);
      const [out, said] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      return { code: child.exitCode, printed: out + said };
    },
  };
};
