import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { markedProcesses } from "../kit/processes/marked-processes.ts";
import { withBench } from "./fixtures/bench.ts";
import { newExecution } from "./fixtures/ids.ts";
import { until } from "../kit/fixtures/patience.ts";

test("[LNK-35] [REC-14] what an execution left behind is listed, and ended on request", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const execution_id = newExecution();
    const survivor = spawn("/bin/sh", ["-c", "sleep 1000 & sleep 1000"], {
      env: { PATH: process.env["PATH"], REPRISE_EXECUTION: execution_id },
      detached: true,
      stdio: "ignore",
    });
    const gone = once(survivor, "exit");
    await once(survivor, "spawn");
    const mark = `REPRISE_EXECUTION=${execution_id}`;
    await until(async () => (await markedProcesses(mark)).length === 3);
    const answer = await link.call("survivors", { execution_id });
    assert.deepEqual(answer, { pids: await markedProcesses(mark) });
    assert.deepEqual(await link.call("clear", { execution_id }), {});
    assert.deepEqual(await markedProcesses(mark), []);
    assert.deepEqual(await link.call("survivors", { execution_id }), {
      pids: [],
    });
    await gone;
  }));

test("[LNK-35] an execution that lives has no survivors, and clearing leaves it alone", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    const { execution_id } = order;
    await link.call("start", order);
    await link.wait(order, "ready");
    assert.deepEqual(await link.call("survivors", { execution_id }), {
      pids: [],
    });
    await link.call("clear", { execution_id });
    assert.match(await link.turn(order, "hello"), /You said: hello/);
    await link.stop(order);
    assert.deepEqual(await link.call("survivors", { execution_id }), {
      pids: [],
    });
  }));
