import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { ExecutionId } from "../../contract/base/id.ts";
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

test("[LNK-41] [P4] of those that have a session open, who does not bear the mark of its executions is another writer", async (t) => {
  const own = ExecutionId.parse(`exe_${"1".repeat(26)}`);
  const copy = ExecutionId.parse(`exe_${"2".repeat(26)}`);
  const ours = await start(t, { A: "1", REPRISE_EXECUTION: own });
  const copied = await start(t, { REPRISE_EXECUTION: copy });
  const theirs = await start(t, { NOT_REPRISE_EXECUTION: own });
  assert.deepEqual(await otherWriters([ours, copied, theirs], [own]), [
    copied,
    theirs,
  ]);
  assert.deepEqual(await otherWriters([], [own]), []);
});
