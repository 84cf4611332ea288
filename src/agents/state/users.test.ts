import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { scratch } from "../fixtures/scratch.ts";
import {
  claimedByNames,
  claimedInFiles,
  lockHolders,
  namedOnCommandLines,
} from "./users.ts";

/** A process that lives until the test is over. */
const start = async (
  t: TestContext,
  program: string,
  args: readonly string[],
): Promise<number> => {
  const child = spawn(program, args, { env: { PATH: "/usr/bin:/bin" } });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid ?? -1;
};

const WAIT = "echo ready; read _";

test("[LNK-41] [P4] a process that says it has a session open is believed while it is that program", async (t) => {
  const directory = scratch(t);
  const [claude, copilot] = ["claude", "copilot"].map((name) => {
    const program = join(directory, name);
    copyFileSync("/bin/sh", program);
    return program;
  }) as [string, string];
  const pid = await start(t, claude, ["-c", WAIT]);
  const other = await start(t, "sh", ["-c", WAIT]);
  const sessions = join(directory, "sessions");
  mkdirSync(sessions);
  for (const [n, claimant] of [pid, other].entries())
    writeFileSync(
      join(sessions, `${n}.json`),
      JSON.stringify({ pid: claimant, sessionId: "one" }),
    );
  writeFileSync(join(sessions, "broken.json"), "{");
  assert.deepEqual(await claimedInFiles(sessions, "one"), [pid]);
  assert.deepEqual(await claimedInFiles(sessions, "two"), []);
  const user = await start(t, copilot, ["-c", WAIT]);
  for (const claimant of [user, other])
    writeFileSync(join(directory, `inuse.${claimant}.lock`), "");
  assert.deepEqual(await claimedByNames(directory), [user]);
  assert.deepEqual(await claimedByNames(join(directory, "nowhere")), []);
});

test("[LNK-41] [P4] whoever has a file locked, or the id on its command line, is found", async (t) => {
  const directory = scratch(t);
  const lock = join(directory, "one.lock");
  writeFileSync(lock, "");
  assert.deepEqual(await lockHolders(lock), []);
  assert.deepEqual(await lockHolders(`${lock}.none`), []);
  const codex = join(directory, "codex");
  copyFileSync("/usr/bin/flock", codex);
  const holder = await start(t, codex, [lock, "sh", "-c", WAIT]);
  assert.deepEqual(await lockHolders(lock), [holder]);
  const named = await start(t, "sh", ["-c", WAIT, "--resume=id-of-this-test"]);
  assert.deepEqual(namedOnCommandLines("id-of-this-test"), [named]);
});
