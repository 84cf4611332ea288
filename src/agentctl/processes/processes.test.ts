import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { linkMethods, type StartOrder } from "../../contract/link/link.ts";
import { SessionProcess } from "../../contract/session/process.ts";
import { until } from "../../kit/fixtures/patience.ts";
import { eachEnvironment } from "../../kit/processes/proc.ts";
import { withBench, withDaemon } from "../fixtures/bench.ts";
import { newExecution } from "../fixtures/ids.ts";
import type { TestLink } from "../fixtures/test-link.ts";

const list = async (link: TestLink, { session_id }: StartOrder) =>
  linkMethods.processes.result.parse(
    await link.call("processes", { session_id }),
  ).processes;

const background = (script: string): string =>
  `run setsid sh -c '${script}' >/dev/null 2>&1 </dev/null &`;

const LISTEN = `require("net").createServer().listen(0, "127.0.0.1")`;

test("[RUN-12] [RUN-13] what an agent has running is told with its ports, and one process can be ended", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.wait(order, "ready");
    const node = process.execPath;
    await link.turn(
      order,
      background(`exec ${node} -e "${LISTEN.replaceAll('"', '\\"')}"`),
    );
    const server = () =>
      list(link, order).then((all) =>
        all.find(({ ports }) => (ports ?? []).length > 0),
      );
    await until(async () => (await server()) !== undefined);
    const all = await list(link, order);
    const found = await server();
    assert.ok(found);
    SessionProcess.parse(found);
    assert.equal(found.started_by, "agent");
    assert.equal(found.owner_id, order.execution_id);
    assert.match(found.command, /createServer/);
    const age = Date.now() - Date.parse(found.started_at);
    assert.ok(age > -5000 && age < 120_000, `${age}`);
    assert.ok(found.memory_bytes > 1024 * 1024);
    const agents = all.filter(({ is_agent }) => is_agent);
    assert.equal(agents.length, 1, "the wrapper is not told, the agent is");
    const { session_id } = order;
    const end = (process_id: string) =>
      link.call("end_process", { session_id, process_id });
    await assert.rejects(end(agents[0]?.id ?? ""), {
      code: "process_is_agent",
    });
    const reused = found.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    await assert.rejects(end(reused), { code: "unknown_process" });
    await end(found.id);
    assert.equal(await server(), undefined);
    await assert.rejects(end(found.id), { code: "unknown_process" });
    const stranger = await bench.link(1, `own_${"0".repeat(26)}`);
    assert.deepEqual(await list(stranger, order), []);
    await link.stop(order);
  }));

test("[RUN-14] looking at all processes lets other work be done, and finds what is started meanwhile", async () => {
  // More than are looked at in one go.
  const children = Array.from({ length: 60 }, () =>
    spawn("/bin/sleep", ["1000"], { stdio: "ignore" }),
  );
  try {
    await Promise.all(children.map((child) => once(child, "spawn")));
    let turns = 0;
    let late: number | undefined;
    const ticking = setImmediate(function tick() {
      turns += 1;
      if (turns === 1) {
        const child = spawn("/bin/sleep", ["1000"], { stdio: "ignore" });
        children.push(child);
        late = child.pid;
      }
      ticker = setImmediate(tick);
    });
    let ticker = ticking;
    const seen = new Set<number>();
    await eachEnvironment((pid) => seen.add(pid));
    clearImmediate(ticker);
    assert.ok(turns > 0, "nothing else was done meanwhile");
    assert.ok(late !== undefined && seen.has(late));
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
});

test("[RUN-15] a resumed agent's session is told which of its processes are gone; a reattached one is not", () =>
  withDaemon(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.wait(order, "ready");
    await link.turn(order, background("exec sleep 98765"));
    const sleeps = async () =>
      (await list(link, order)).some(({ command }) =>
        command.includes("sleep 98765"),
      );
    await until(sleeps);
    // Once more, so that a turn ends while it runs.
    await link.turn(order, "hello");
    await bench.daemon.kill();
    await bench.daemonUp();
    const again = await bench.link(2);
    const { execution_id, epoch, session_id } = order;
    await again.call("attach", { execution_id, epoch, from: 0 });
    await again.turn(order, "are you there");
    const notices = (items: { kind: string }[]) =>
      items.filter(({ kind }) => kind === "notice");
    assert.deepEqual(notices(again.of(order)), []);
    await again.stop(order);
    const next = bench.order("demo", {
      session_id,
      epoch: 2,
      predecessors: [execution_id],
      execution_id: newExecution(),
    });
    await again.call("start", next);
    const notice = await again.wait(next, "notice");
    assert.equal(notice.code, "processes_gone");
    assert.match(notice.text, /`sleep 98765`/);
    assert.deepEqual(
      notice.processes?.map(({ command, started_by }) => [command, started_by]),
      [["sleep 98765", "agent"]],
    );
    await again.stop(next);
    const third = { ...next, epoch: 3, execution_id: newExecution() };
    await again.call("start", { ...third, predecessors: [next.execution_id] });
    await again.wait(third, "ready");
    await again.turn(third, "hello");
    assert.deepEqual(notices(again.of(third)), [], "it is told once");
    await again.stop(third);
  }));
