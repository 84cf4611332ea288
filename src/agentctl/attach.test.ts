import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportItem } from "../contract/link/report.ts";
import { withBench } from "./fixtures/bench.ts";

test("[P2] [LNK-15] after a lost link everything from an offset on is told again, the same", () =>
  withBench(async (bench) => {
    const first = await bench.link();
    const order = bench.order("demo");
    await first.call("start", order);
    await first.turn(order, "count 30 1\nremember A=B");
    await first.turn(order, "recall A");
    await first.wait(order, "transcript");
    const { execution_id, epoch } = order;
    const ranged = first.of(order).filter(({ range }) => range !== null);
    for (const item of ranged) {
      const from = item.range!.to;
      const link = await bench.link();
      await link.call("attach", { execution_id, epoch, from });
      await link.until(order, (it) => it.kind === "transcript");
      const end = ranged.at(-1)!.range!.to;
      if (from < end) await link.until(order, (it) => it.range?.to === end);
      const again = link.of(order);
      assert.equal(textOf(again), textAfter(first.of(order), from), `${from}`);
      assert.equal(again[0]?.kind, "ready");
      let at = from;
      for (const { range } of again) {
        if (range === null) continue;
        assert.equal(range.from, at);
        at = range.to;
      }
      assert.equal(at, end);
      link.drop();
    }
  }));

test("[LNK-16] facts are repeated where they happened: a prompt before its words", () =>
  withBench(async (bench) => {
    const first = await bench.link();
    const order = bench.order("demo");
    await first.call("start", order);
    await first.turn(order, "remember A=B");
    await first.turn(order, "recall A");
    const { execution_id, epoch } = order;
    const link = await bench.link();
    await link.call("attach", { execution_id, epoch, from: 0 });
    await link.until(
      order,
      (it) =>
        it.kind === "turn_ended" &&
        it.range.to ===
          first.of(order).findLast((x) => x.kind === "turn_ended")?.range?.to,
    );
    const kinds = link
      .of(order)
      .map(({ kind }) => kind)
      .filter((it) => it !== "text" && it !== "transcript");
    assert.deepEqual(kinds, [
      "ready",
      "prompt_delivered",
      "turn_ended",
      "prompt_delivered",
      "turn_ended",
    ]);
  }));

test("[LNK-14] a server that is slow gets everything from the file, in order", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.wait(order, "ready");
    link.acknowledging = false;
    const prompt_id = await link.prompt(
      order,
      "big 3000\nbig 3000\nbig 3000\ncount 5 1",
    );
    await bench.untilStdout(order, `${prompt_id}","result"`);
    link.acknowledging = true;
    await link.acknowledge(link.reports.at(-1)!);
    await link.wait(order, "turn_ended");
    const results = link
      .of(order)
      .filter(
        (it) =>
          it.kind === "tool" && (it.tool.output?.length ?? 0) >= 3000 * 1024,
      );
    assert.ok(results.length >= 3);
    let at = 0;
    for (const { range } of link.of(order)) {
      if (range === null) continue;
      assert.equal(range.from, at);
      at = range.to;
    }
  }));

test("[LNK-17] output shorter than what was acknowledged ends the execution visibly", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.wait(order, "ready");
    const { execution_id, epoch } = order;
    await link.call("attach", { execution_id, epoch, from: 1_000_000 });
    const { ending } = await link.wait(order, "ended");
    assert.deepEqual(ending, { kind: "output_lost" });
  }));

test("[P6] a native resume is verified against the agent's own file, and refused when that is another", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const first = bench.order("demo");
    await link.call("start", first);
    await link.turn(first, "remember A=B");
    const { bytes, sha256 } = await link.wait(first, "transcript");
    const token = (await link.wait(first, "ready")).native_session_id ?? "";
    await link.stop(first);
    const { session_id } = first;
    const native = (
      epoch: number,
      mark: { bytes: number; sha256: string },
      id = token,
    ) =>
      bench.order("demo", {
        session_id,
        epoch,
        open: { kind: "native", token: id, transcript: mark, turns: 1 },
      });

    const good = native(2, { bytes, sha256 });
    await link.call("start", good);
    const ready = await link.wait(good, "ready");
    assert.deepEqual(
      [ready.opened, ready.verified, ready.failed],
      ["resumed", true, null],
    );
    assert.equal(ready.native_session_id, token);
    assert.match(await link.turn(good, "recall A"), /A=B/);

    const damaged = native(3, { bytes, sha256: "0".repeat(64) });
    await link.call("start", damaged);
    const fresh = await link.wait(damaged, "ready");
    assert.deepEqual(
      [fresh.opened, fresh.verified, fresh.failed?.reason],
      ["new", false, "transcript_damaged"],
    );
    assert.match(await link.turn(damaged, "recall A"), /A is unknown/);
  }));

const textOf = (items: readonly ReportItem[]): string =>
  items.map((it) => (it.kind === "text" ? it.text : "")).join("");

const textAfter = (items: readonly ReportItem[], from: number): string =>
  textOf(items.filter(({ range }) => range !== null && range.from >= from));
