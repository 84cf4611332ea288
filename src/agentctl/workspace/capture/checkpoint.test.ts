import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withBench } from "../../fixtures/bench.ts";
import { capture, inWorkspace } from "../../fixtures/workspace.ts";

test("[CPT-1] [CPT-6] a checkpoint holds the workspace and the agent's own session", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await link.call("start", order);
    const { native_session_id: token } = await link.wait(order, "ready");
    await link.turn(order, "write a.txt hello");
    const first = await capture(link, order, { token });
    assert.equal(first.outcome, "saved");
    assert.equal(first.files, 1);
    assert.match(first.tree ?? "", /^[0-9a-f]{64}$/);
    assert.match(first.agent_state ?? "", /^[0-9a-f]{64}$/);
    const again = await capture(link, order, { token });
    assert.equal(again.tree, first.tree);
    assert.equal(again.agent_state, first.agent_state);
    assert.equal(again.new_bytes, 0);
    await link.turn(order, "write b.txt world");
    const second = await capture(link, order, { token });
    assert.notEqual(second.tree, first.tree);
    assert.notEqual(second.agent_state, first.agent_state);
    assert.deepEqual(await readdir(join(bench.home, "agentctl/scratch")), []);
  }));

test("[CPT-3] a directory that is gone, and one that is ours, are failures with a reason", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await rm(order.cwd, { recursive: true });
    const gone = await capture(link, order);
    assert.equal(gone.outcome, "failed");
    assert.equal(gone.reason, `${order.cwd} is not there`);
    const ours = await capture(link, { ...order, cwd: bench.home });
    assert.equal(ours.outcome, "failed");
    assert.match(ours.reason ?? "", /belongs to Reprise itself/);
  }));

test("[CPT-3] one that takes longer than its deadline fails, and a later one succeeds", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await writeFile(join(order.cwd, "a.txt"), "hello");
    const late = await capture(link, order, { deadline_ms: 0 });
    assert.equal(late.outcome, "failed");
    assert.equal(
      late.reason,
      "it takes longer than 0 s; what was read is kept for the next try",
    );
    assert.equal((await capture(link, order)).outcome, "saved");
  }));

test("[CPT-3] a workspace that holds too much says what can be done about it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await writeFile(join(order.cwd, "a.txt"), "hello");
    const full = await capture(link, order, { most_bytes: 4 });
    assert.equal(full.outcome, "failed");
    assert.match(full.reason ?? "", /holds more than .*\.repriseignore/);
    assert.equal((await capture(link, order)).outcome, "saved");
  }));

test("[CPT-6] what cannot be saved of the agent's session does not fail the checkpoint", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    // Where the agent's file should be, there is a directory.
    const token = "not-a-file";
    const path = join(bench.home, "demo", "sessions", `${token}.jsonl`);
    await mkdir(path, { recursive: true });
    const { outcome, agent_state, left_out } = await capture(link, order, {
      token,
    });
    assert.equal(outcome, "saved");
    assert.equal(agent_state, null);
    assert.match(left_out[0]?.reason ?? "", /^it cannot be saved: /);
  }));

test("[CPT-2] checkpoints of one directory at once wait for each other and agree", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    for (let n = 0; n < 50; n++)
      await writeFile(join(order.cwd, `${n}`), `${n}`);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => capture(link, order)),
    );
    assert.equal(new Set(all.map(({ tree }) => tree)).size, 1);
  }));
