import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { demo } from "../../agents/demo/demo.ts";
import { agentWhere, homeOf } from "../daemon/agent-where.ts";
import { withBench } from "../fixtures/bench.ts";
import { directoryOf } from "../daemon/daemon.ts";

test("[LNK-42] an agent with a home of its own keeps its session there, and resumes from there", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo", {
      definition: { agent: "demo", home: "session", env_names: [] },
    });
    await link.call("start", order);
    await link.turn(order, "remember A=B");
    const { native_session_id } = await link.wait(order, "ready");
    const { bytes, sha256 } = await link.wait(order, "transcript");
    await link.stop(order);
    assert.ok(!existsSync(join(bench.home, "demo")));
    const daemon = { directory: directoryOf(bench.home) };
    assert.deepEqual(await readdir(homeOf(daemon, order.session_id)), [
      "demo_home",
    ]);
    const token = native_session_id ?? "";
    // Found without the agent, too: a checkpoint looks for it when nothing runs.
    const where = agentWhere(daemon, demo, order, order.cwd);
    assert.ok(await demo.transcript?.(where, token));
    const again = bench.order("demo", {
      session_id: order.session_id,
      epoch: 2,
      definition: order.definition,
      open: { kind: "native", token, turns: 1, transcript: { bytes, sha256 } },
    });
    await link.call("start", again);
    const ready = await link.wait(again, "ready");
    assert.deepEqual([ready.opened, ready.verified], ["resumed", true]);
    assert.match(await link.turn(again, "recall A"), /B/);
    await link.stop(again);
  }));

test("[LNK-42] an agent that cannot have a home of its own says so", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("garbage-first");
    await link.call("start", {
      ...order,
      definition: { ...order.definition, home: "session" },
    });
    const notice = await link.wait(order, "notice");
    assert.equal(notice.code, "home_not_private");
    await link.stop(order);
  }));
