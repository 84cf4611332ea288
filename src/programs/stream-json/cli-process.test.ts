import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { identify } from "../../kit/processes/process-identity.ts";
import { CliProcess } from "./cli-process.ts";

const start = (script: string): CliProcess =>
  CliProcess.start(
    { argv: ["/bin/sh", "-c", script], cwd: "/" },
    { args: [], env: {}, input: "", talks: false },
  );

/** A zombie is dead. */
const isThere = async (pid: number): Promise<boolean> =>
  (await identify(pid)) !== null;

/** Whether its end was heard of. */
const isCollected = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

for (const [who, command] of [
  ["of its group", "sleep 600"],
  ["that left its group", "setsid sleep 600"],
] as const)
  test(`a run is over although a process ${who} holds its output open`, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const cli = start(`${command} & echo $!; echo $$`);
    const lines = cli.lines();
    const left = Number((await lines.next()).value);
    const leader = Number((await lines.next()).value);
    t.after(async () => {
      if (await isThere(left)) process.kill(left, "SIGKILL");
    });
    while (!isCollected(leader)) await nextTurn();
    assert.ok(await isThere(left));
    t.mock.timers.tick(10_000);
    assert.equal((await lines.next()).done, true);
    assert.equal((await cli.exited).code, 0);
    if (who === "of its group") while (await isThere(left)) await nextTurn();
  });
