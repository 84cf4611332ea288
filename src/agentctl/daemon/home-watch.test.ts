import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { StartOrder } from "../../contract/link/link.ts";
import {
  endMarked,
  markedProcesses,
} from "../../kit/processes/marked-processes.ts";
import { type Bench, withBench } from "../fixtures/bench.ts";
import { patience } from "../../kit/fixtures/patience.ts";

const markOf = ({ execution_id }: StartOrder): string =>
  `REPRISE_EXECUTION=${execution_id}`;

const started = async (bench: Bench): Promise<StartOrder> => {
  const link = await bench.link();
  const order = bench.order("demo");
  await link.call("start", order);
  await link.wait(order, "ready");
  return order;
};

test("[LNK-34] a removed home: nobody can reach its agents any more, so they are ended, and agentctl goes", () =>
  withBench(
    async (bench) => {
      const order = await started(bench);
      await rm(bench.home, { recursive: true, maxRetries: 10 });
      // As somebody does who starts over.
      await mkdir(bench.home);
      await bench.running.over;
      assert.deepEqual(await markedProcesses(markOf(order)), []);
    },
    { watchMs: 20 },
  ));

test("[LNK-34] [P8] a moved home: agentctl goes, its agents do not", () =>
  withBench(
    async (bench) => {
      const order = await started(bench);
      const elsewhere = `${bench.home}-moved`;
      await rename(bench.home, elsewhere);
      try {
        await bench.running.over;
        await bench.down();
        assert.notDeepEqual(await markedProcesses(markOf(order)), []);
      } finally {
        await endMarked(markOf(order), patience(5000));
        await rm(elsewhere, { recursive: true, maxRetries: 10 });
      }
    },
    { watchMs: 20 },
  ));

test("[LNK-34] [P4] a lock that is not ours any more: agentctl goes before it meets another", () =>
  withBench(
    async (bench) => {
      const order = await started(bench);
      await rm(`${bench.home}/agentctl/lock.db`);
      await bench.running.over;
      assert.notDeepEqual(await markedProcesses(markOf(order)), []);
    },
    { watchMs: 20 },
  ));

test("[LNK-34] closing removes the socket that is ours, and no other", () =>
  withBench(async (bench) => {
    await bench.down();
    assert.equal(existsSync(bench.socketPath), false);
    await bench.up();
    await rename(bench.socketPath, `${bench.socketPath}.old`);
    await mkdir(bench.socketPath);
    await bench.down();
    assert.equal(existsSync(bench.socketPath), true);
  }));

test("[REC-52] closing removes the agentctl.json that is ours, and no other", () =>
  withBench(async (bench) => {
    const file = `${bench.home}/agentctl/agentctl.json`;
    assert.equal(existsSync(file), true);
    await bench.down();
    assert.equal(existsSync(file), false);
    await bench.up();
    await writeFile(file, "another's");
    await bench.down();
    assert.equal(await readFile(file, "utf8"), "another's");
  }));
