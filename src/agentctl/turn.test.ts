import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ReportItem } from "../contract/link/report.ts";
import { withBench } from "./fixtures/bench.ts";

test("a turn over the real link: start, ready, prompt, text, turn end, transcript, stop", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    const ready = await link.wait(order, "ready");
    assert.equal(ready.opened, "new");
    assert.equal(ready.abilities.resume, true);
    assert.match(await link.turn(order, "count 3 5"), /1\s*2\s*3/);
    assert.ok((await link.wait(order, "transcript")).bytes > 0);
    await link.stop(order);
    const kinds = link.of(order).map(({ kind }) => kind);
    assert.deepEqual(
      kinds.filter((kind) => kind !== "text"),
      ["ready", "prompt_delivered", "turn_ended", "transcript", "ended"],
    );
    const { ending, not_taken } = await link.wait(order, "ended");
    assert.deepEqual([ending, not_taken], [{ kind: "stopped" }, []]);
  }));

test("[LNK-12] ranges touch and cover what the agent wrote", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.turn(order, "count 40 1\nwrite a.txt hello\nremember A=B");
    assert.equal(covered(link.of(order)), (await bench.stdout(order)).length);
  }));

test("[LNK-13] while a report is unacknowledged no other is sent, and text waits together", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.turn(order, "remember A=B");
    await link.wait(order, "transcript");
    link.acknowledging = false;
    const before = link.reports.length;
    const prompt_id = await link.prompt(order, "count 50 1");
    await bench.untilStdout(order, `${prompt_id}","result"`);
    await link.until(
      order,
      (it) => it.kind === "prompt_delivered" && it.prompt_id === prompt_id,
    );
    assert.equal(link.reports.length, before + 1);
    link.acknowledging = true;
    await link.acknowledge(link.reports[before]!);
    await link.until(
      order,
      (it) => it.kind === "turn_ended" && it.prompt_id === prompt_id,
    );
    assert.ok(link.reports.length <= before + 3);
    const counted = Array.from({ length: 50 }, (_, i) => `${i + 1}\n`).join("");
    assert.ok(link.text(order).includes(counted));
  }));

test("[P5] [LNK-31] a permission is asked, answered once, and the answer reaches the agent", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    const { execution_id, epoch } = order;
    await link.call("start", order);
    const turn = link.turn(order, "ask-write asked.txt yes");
    const asked = await link.wait(order, "permission_requested");
    assert.match(asked.permission_id, /^per_1_\d+$/);
    const allow = asked.options.find(({ kind }) => kind === "allow_once");
    const answer = {
      execution_id,
      epoch,
      permission_id: asked.permission_id,
      option_id: allow!.id,
    };
    await link.call("answer", answer);
    await assert.rejects(link.call("answer", answer), {
      code: "permission_closed",
    });
    await turn;
    assert.equal(
      (await readFile(join(bench.home, "asked.txt"), "utf8")).trim(),
      "yes",
    );
    const delivered = link
      .of(order)
      .filter(({ kind }) => kind === "answer_delivered");
    assert.equal(delivered.length, 1);
  }));

test("a cancelled turn ends, its permission request is answered with cancelled", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    const { execution_id, epoch } = order;
    await link.call("start", order);
    const turn = link.turn(order, "ask may I");
    await link.wait(order, "permission_requested");
    await link.call("cancel", { execution_id, epoch });
    await turn;
    assert.equal(
      (await link.wait(order, "turn_ended")).stop_reason,
      "cancelled",
    );
  }));

test("[P1] [LNK-11] the same prompt delivered twice is executed once", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const ledger = join(bench.home, "ledger");
    const order = bench.order("demo");
    order.env["DEMO_LEDGER"] = ledger;
    const { execution_id, epoch } = order;
    await link.call("start", order);
    await link.call("start", order);
    const prompt_id = await link.prompt(order, "remember A=B");
    const again = {
      execution_id,
      epoch,
      prompt_id,
      content: [{ type: "text", text: "remember A=B" }],
    };
    await link.call("prompt", again);
    await link.wait(order, "turn_ended");
    await link.call("prompt", again);
    await link.turn(order, "recall A");
    assert.equal((await readFile(ledger, "utf8")).trim().split("\n").length, 2);
  }));

test("[LNK-20] a prompt of 5 MB arrives whole", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    const key = "k".repeat(5 * 1024 * 1024);
    await link.turn(order, `remember ${key}=1`);
    assert.ok((await link.turn(order, `recall ${key}`)).includes(`${key}=1`));
  }));

test("a result of 20 MB on one line is reported whole", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    await link.turn(order, "big 20480");
    const longest = Math.max(
      ...link
        .of(order)
        .map((it) => (it.kind === "tool" ? (it.tool.output?.length ?? 0) : 0)),
    );
    assert.ok(longest >= 20 * 1024 * 1024, `${longest}`);
  }));

/** Where the ranges end, when they begin at 0 and each begins where the one before ended. */
const covered = (items: readonly ReportItem[]): number =>
  items.reduce((end, { range }) => {
    if (range === null) return end;
    assert.equal(range.from, end);
    return range.to;
  }, 0);
