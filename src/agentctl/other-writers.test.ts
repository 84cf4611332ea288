import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { otherWriters } from "./other-writers.ts";

/** A process that holds a file open, or bears a word on its command line, until the test is over. */
const start = async (
  t: TestContext,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> => {
  const child: ChildProcess = spawn(
    "sh",
    ["-c", 'exec 3<"$1"; echo ready; read _', "sh", ...args],
    { env: { PATH: "/usr/bin:/bin", ...env } },
  );
  t.after(() => child.kill("SIGKILL"));
  assert.ok(child.stdout);
  await once(child.stdout, "data");
  return child.pid ?? -1;
};

test("[LNK-41] [P4] somebody else's process on an agent's session is seen; ours is not", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "writers-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "session.jsonl");
  writeFileSync(file, "");
  const session = { claimed: [], token: "id-of-this-session", file };
  assert.deepEqual(await otherWriters(session), []);
  const ours = { REPRISE_EXECUTION: "exe_1" };
  await start(t, [file, "id-of-this-session"], ours);
  assert.deepEqual(await otherWriters(session), []);
  const holder = await start(t, [file]);
  assert.deepEqual(await otherWriters(session), [holder]);
  const named = await start(t, ["/dev/null", "--resume=id-of-this-session"]);
  assert.deepEqual(
    new Set(await otherWriters(session)),
    new Set([holder, named]),
  );
  const claimer = await start(t, ["/dev/null"]);
  const claimed = { claimed: [claimer], token: "none", file: null };
  assert.deepEqual(await otherWriters(claimed), [claimer]);
});
