import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { endMarked, markedProcesses, marksInUse } from "./marked-processes.ts";
import { identify, isRunning } from "./process-identity.ts";
import { patience } from "../fixtures/patience.ts";

test("what bears the mark is found and ended, in another session too; what bears another is not", async () => {
  const value = randomUUID();
  const start = async (mark: string) => {
    const child = spawn("/bin/sh", ["-c", "sleep 1000 & sleep 1000"], {
      env: { PATH: process.env["PATH"], MARK: mark },
      detached: true,
      stdio: "ignore",
    });
    await once(child, "spawn");
    return child;
  };
  const marked = await start(value);
  const other = await start(`${value}-not`);
  try {
    assert.ok((await markedProcesses(`MARK=${value}`)).includes(marked.pid!));
    assert.deepEqual(
      await marksInUse([`MARK=${value}`, `MARK=${value}-neither`]),
      new Set([`MARK=${value}`]),
    );
    const identity = await identify(marked.pid!);
    assert.ok(identity !== null && (await isRunning(identity)));
    assert.equal(await endMarked(`MARK=${value}`, patience(5000)), true);
    assert.deepEqual(await markedProcesses(`MARK=${value}`), []);
    assert.equal(await isRunning(identity), false);
    assert.notEqual(await identify(other.pid!), null);
  } finally {
    await endMarked(`MARK=${value}-not`, patience(5000));
  }
});

test("[LNK-64] a clock that is set ahead takes no time from the end of processes", async (t) => {
  const value = randomUUID();
  const child = spawn("/bin/sleep", ["1000"], {
    env: { MARK: value },
    stdio: "ignore",
  });
  await once(child, "spawn");
  t.after(() => child.kill("SIGKILL"));
  let day = 0;
  t.mock.method(Date, "now", () => ++day * 86_400_000);
  assert.equal(await endMarked(`MARK=${value}`, patience(5000)), true);
  assert.deepEqual(await markedProcesses(`MARK=${value}`), []);
});

test("a process is not the one that had its number before", async () => {
  const self = await identify(process.pid);
  assert.ok(self !== null && (await isRunning(self)));
  assert.equal(await isRunning({ ...self, start_time: "1" }), false);
  assert.equal(await isRunning({ ...self, boot_id: "another" }), false);
  assert.equal(await identify(2 ** 22 + 1), null);
});
