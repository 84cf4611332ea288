import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { otherWriters } from "./other-writers.ts";

const start = async (
  t: TestContext,
  env: Record<string, string>,
): Promise<number> => {
  const child = spawn("/bin/sh", ["-c", "echo ready; read _"], { env });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid ?? -1;
};

test("[LNK-41] [P4] of those that have a session open, only who bears no mark of ours is another writer", async (t) => {
  const ours = await start(t, { A: "1", REPRISE_EXECUTION: "exe_1" });
  const theirs = await start(t, { NOT_REPRISE_EXECUTION: "exe_1" });
  assert.deepEqual(await otherWriters([ours, theirs]), [theirs]);
  assert.deepEqual(await otherWriters([]), []);
});
