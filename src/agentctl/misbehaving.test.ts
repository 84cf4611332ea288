import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { markedProcesses } from "../kit/processes/marked-processes.ts";
import { withBench, type Bench } from "./fixtures/bench.ts";
import type { StartOrder } from "../contract/link/link.ts";

/** Starts what cannot be started and returns what was said about it. Nothing of it may be left. */
const failureOf = async (bench: Bench, order: StartOrder) => {
  const link = await bench.link();
  await link.call("start", order);
  const failed = await link.wait(order, "start_failed");
  const { ending } = await link.wait(order, "ended");
  const mark = `REPRISE_EXECUTION=${order.execution_id}`;
  assert.deepEqual(await markedProcesses(mark), []);
  assert.deepEqual(
    link
      .of(order)
      .map(({ kind }) => kind)
      .filter((it) => it !== "garbage"),
    ["start_failed", "ended"],
  );
  return { ...failed, ending };
};

test("[LNK-24] an agent that exits at once: its words on stderr are the message", () =>
  withBench(async (bench) => {
    const { failure, message, ending } = await failureOf(
      bench,
      bench.misbehaving("exits-at-once"),
    );
    assert.equal(failure, "agent_exited");
    assert.notEqual(message, "");
    assert.deepEqual(ending, { kind: "exited", code: 7 });
  }));

test("[LNK-24] an agent that is not installed", () =>
  withBench(async (bench) => {
    const order = bench.order("nobody", {
      override: { command: ["/nowhere/nobody"] },
    });
    assert.equal(
      (await failureOf(bench, order)).failure,
      "agent_not_installed",
    );
  }));

test("[LNK-24] an agent whose interpreter is not installed", () =>
  withBench(async (bench) => {
    const program = `${bench.home}/agent`;
    await writeFile(program, "#!/nowhere/interpreter\n", { mode: 0o700 });
    const order = bench.order("broken", { override: { command: [program] } });
    assert.equal(
      (await failureOf(bench, order)).failure,
      "agent_not_installed",
    );
  }));

test("[LNK-24] a workspace that is not there", () =>
  withBench(async (bench) => {
    const order = bench.order("demo", { cwd: `${bench.home}/nowhere` });
    assert.equal((await failureOf(bench, order)).failure, "workspace_missing");
  }));

test("[LNK-24] an agent of another protocol version", () =>
  withBench(async (bench) => {
    const failed = await failureOf(bench, bench.misbehaving("wrong-version"));
    assert.equal(failed.failure, "wrong_protocol_version");
    assert.match(failed.message, /99/);
  }));

test("[LNK-24] an agent that never answers, and one that closes its stdout", () =>
  withBench(async (bench) => {
    for (const program of ["never-answers", "never-reads", "closes-stdout"]) {
      const order = { ...bench.misbehaving(program), deadline_ms: 1500 };
      const { failure, ending } = await failureOf(bench, order);
      assert.equal(failure, "agent_not_answering", program);
      assert.deepEqual(ending, { kind: "stopped" });
    }
  }));

test("[LNK-24] an agent that wants a login", () =>
  withBench(async (bench) => {
    const failed = await failureOf(bench, bench.misbehaving("needs-login"));
    assert.equal(failed.failure, "not_logged_in");
  }));

test("[LNK-22] an agent that stops reading is reported, and what it did not read was not taken", () =>
  withBench(
    async (bench) => {
      const link = await bench.link();
      const order = bench.misbehaving("stops-reading");
      await link.call("start", order);
      await link.wait(order, "ready");
      const prompt_id = await link.prompt(order, "x".repeat(1024 * 1024));
      const notice = await link.wait(order, "notice");
      assert.equal(notice.code, "agent_not_reading");
      await link.stop(order, 200);
      const { not_taken } = await link.wait(order, "ended");
      assert.deepEqual(not_taken, [prompt_id]);
    },
    { stallMs: 100 },
  ));

test("[LNK-19] a last line without its newline is kept", () =>
  withBench(async (bench) => {
    const command = ["/bin/sh", "-c", "echo one; printf unfinished"];
    const order = bench.order("torn", { override: { command } });
    const link = await bench.link();
    await link.call("start", order);
    await link.wait(order, "ended");
    const garbage = link.of(order).filter((it) => it.kind === "garbage");
    assert.deepEqual(
      garbage.map(({ text, range }) => [text, range.from, range.to]),
      [
        ["one", 0, 4],
        ["unfinished", 4, 14],
      ],
    );
    assert.equal(link.of(order).at(-1)?.kind, "ended");
    const { execution_id, epoch } = order;
    const again = await bench.link();
    await again.call("attach", { execution_id, epoch, from: 0 });
    await again.wait(order, "ended");
    assert.deepEqual(again.of(order), link.of(order));
  }));

test("[LNK-18] garbage on stdout is kept, in its place, and does not disturb", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("garbage-first");
    await link.call("start", order);
    await link.wait(order, "ready");
    assert.equal(link.of(order)[0]?.kind, "garbage");
    assert.match(await link.turn(order, "hello"), /You said: hello/);
  }));

test("hostile text stays text", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("hostile-text");
    await link.call("start", order);
    await link.turn(order, "go");
    const ends = link.of(order).filter(({ kind }) => kind === "turn_ended");
    assert.equal(ends.length, 1);
    assert.ok(link.text(order).includes("\u001b"));
  }));

test("a message of 10 MB on one line arrives whole", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("floods");
    await link.call("start", order);
    const text = await link.turn(order, "go");
    assert.ok(text.length >= 10 * 1000 * 1000, `${text.length}`);
  }));

test("[LNK-26] an agent that ignores SIGTERM is killed when the grace is over", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("ignores-sigterm");
    await link.call("start", order);
    await link.wait(order, "ready");
    await link.stop(order, 300);
    assert.deepEqual((await link.wait(order, "ended")).ending, {
      kind: "stopped",
    });
  }));

test("[P4] [LNK-27] a process in a session of its own is gone when `ended` is reported", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("leaves-process");
    await link.call("start", order);
    await link.turn(order, "go");
    const mark = `REPRISE_EXECUTION=${order.execution_id}`;
    assert.ok((await markedProcesses(mark)).length >= 3);
    await link.stop(order);
    assert.deepEqual(await markedProcesses(mark), []);
  }));

test("[LNK-27] an agent killed in the middle of a turn: how is known, and what it left is ended", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.wait(order, "ready");
    await link.prompt(order, "count 100000 1");
    await link.wait(order, "text");
    const pid = Number(await readFile(bench.path(order, "pid"), "utf8"));
    process.kill(pid, "SIGKILL");
    const { ending } = await link.wait(order, "ended");
    assert.deepEqual(ending, { kind: "killed", signal: "SIGKILL" });
    assert.ok(link.of(order).some(({ kind }) => kind === "text"));
  }));

test("[P4] [LNK-8] [LNK-9] [LNK-10] a new execution starts when its predecessor is gone, and the old epoch is refused", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const old = bench.order("demo");
    await link.call("start", old);
    await link.turn(old, "run sleep 1000 &");
    const { session_id } = old;
    const next = bench.order("demo", {
      session_id,
      epoch: 2,
      predecessors: [old.execution_id],
    });
    await link.call("start", next);
    assert.deepEqual(
      await markedProcesses(`REPRISE_EXECUTION=${old.execution_id}`),
      [],
    );
    await link.wait(next, "ready");
    const third = bench.order("demo", { session_id, epoch: 1 });
    await assert.rejects(link.call("start", third), {
      code: "epoch_superseded",
    });
    await assert.rejects(link.prompt(old, "hello"), {
      code: "epoch_superseded",
    });
    await assert.rejects(link.prompt({ ...next, epoch: 3 }, "hello"), {
      code: "epoch_superseded",
    });
  }));
