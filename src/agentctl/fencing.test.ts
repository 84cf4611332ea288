/** What tells places, servers and executions apart, also after a restart of agentctl. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionId } from "../contract/id.ts";
import { linkMethods } from "../contract/link.ts";
import { Fences } from "./fences.ts";
import { type Bench, withBench, withDaemon } from "./fixtures/bench.ts";
import { newSession } from "./fixtures/ids.ts";
import { TestLink } from "./fixtures/test-link.ts";

test("[LNK-84] a place has an id of its own, which outlives its agentctl", () =>
  withDaemon(async (bench) => {
    const { place_id } = await hello(bench);
    assert.ok(place_id !== undefined);
    const file = join(bench.home, "agentctl", "place-id");
    assert.equal(await readFile(file, "utf8"), `${place_id}\n`);
    await bench.down();
    await bench.daemonUp();
    assert.equal((await hello(bench)).place_id, place_id);
    await bench.down();
    await rm(file);
    await bench.daemonUp();
    assert.notEqual((await hello(bench)).place_id, place_id);
  }));

test("[LNK-83] an epoch that was forgotten stays superseded, also after a restart", () =>
  withDaemon(async (bench) => {
    const session_id = newSession();
    const order = (epoch: number) => bench.order("demo", { session_id, epoch });
    const first = await bench.link();
    const run = order(2);
    await first.call("start", run);
    await first.wait(run, "ready");
    await first.stop(run);
    const { execution_id, epoch } = run;
    await first.call("forget", { execution_id, epoch });
    const superseded = { code: "epoch_superseded" };
    await assert.rejects(first.call("start", order(1)), superseded);
    await bench.down();
    await bench.daemonUp();
    const next = await bench.link();
    for (const old of [order(1), order(2)])
      await assert.rejects(next.call("start", old), superseded);
    assert.deepEqual(await next.call("executions", {}), { executions: [] });
    assert.equal(await epochOf(bench, next, session_id), 2);
    await next.call("start", order(3));
    assert.equal(await epochOf(bench, next, session_id), 3);
  }));

test("[LNK-83] a fence goes with its session; a spoilt one locks nobody out", () =>
  withBench(async (bench) => {
    const fences = await Fences.open(join(bench.home, "agentctl", "fences"));
    const [gone, spoilt] = [newSession(), newSession()];
    await Promise.all([fences.raise(gone, 3), fences.raise(gone, 2)]);
    assert.equal(await fences.epochOf(gone), 3);
    await writeFile(join(bench.home, "agentctl", "fences", spoilt), "\0");
    const link = await bench.link();
    assert.equal(await epochOf(bench, link, gone), 3);
    assert.equal(await epochOf(bench, link, spoilt), 0);
    await link.call("discard", { session_id: gone, worktree: null });
    assert.equal(await epochOf(bench, link, gone), 0);
  }));

const epochOf = async (bench: Bench, link: TestLink, session_id: SessionId) => {
  const { definition, env, cwd } = bench.order("demo");
  const agent = { definition, env, token: null };
  const asked = { session_id, execution_id: null, cwd, agent };
  return linkMethods.look.result.parse(await link.call("look", asked)).epoch;
};

const hello = async (bench: Bench) => {
  const link = await TestLink.open(bench.socketPath, bench.token);
  const params = { protocol: { min: 1, max: 1 }, build: "t", term: 1 };
  const answer = await link.call("hello", params);
  link.drop();
  return linkMethods.hello.result.parse(answer);
};
