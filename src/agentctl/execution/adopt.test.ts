import assert from "node:assert/strict";
import { markedProcesses } from "../../kit/processes/marked-processes.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StartOrder } from "../../contract/link/link.ts";
import type { Bench } from "../fixtures/bench.ts";
import { newPrompt } from "../fixtures/ids.ts";
import { sharedDaemon } from "../fixtures/shared-daemon.ts";
import { type TestLink } from "../fixtures/test-link.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";

const test = sharedDaemon();

const numbers = (n: number): string =>
  Array.from({ length: n }, (_, i) => `${i + 1}\n`).join("");

const attach = async (
  bench: Bench,
  order: StartOrder,
  from: number,
): Promise<TestLink> => {
  const link = await bench.link();
  const { execution_id, epoch } = order;
  await link.call("attach", { execution_id, epoch, from });
  return link;
};

const ledgerOf = async (order: StartOrder): Promise<string[]> =>
  (await readFile(order.env["DEMO_LEDGER"] ?? "", "utf8")).trim().split("\n");

const orderWithLedger = (bench: Bench): StartOrder => {
  const order = bench.order("demo");
  order.env["DEMO_LEDGER"] = join(bench.home, `ledger-${order.execution_id}`);
  return order;
};

test("[P2] [LNK-30] agentctl killed in the middle of a turn: the agent goes on, the next one has every byte", async (bench) => {
  const order = orderWithLedger(bench);
  const first = await bench.link();
  await first.call("start", order);
  using latch = new Latch(bench.home);
  const prompt_id = await first.prompt(order, heldAt(latch));
  await first.until(
    order,
    (it) => it.kind === "text" && it.text.includes("5\n"),
  );
  await bench.daemon.kill();
  latch.open();
  const from = Math.max(...first.of(order).map((it) => it.range?.to ?? 0));
  await bench.daemonUp();
  const next = await attach(bench, order, from);
  const end = await next.wait(order, "turn_ended");
  assert.deepEqual([end.prompt_id, end.stop_reason], [prompt_id, "end_turn"]);
  assert.equal(first.text(order) + next.text(order), HELD_WORDS);
  assert.match(await next.turn(order, "remember A=B\nrecall A"), /A=B/);
  assert.ok(await next.wait(order, "transcript"));
  assert.equal((await ledgerOf(order)).length, 2);
  await next.stop(order);
  assert.deepEqual((await next.wait(order, "ended")).ending, {
    kind: "stopped",
  });
});

test("[LNK-30] an agent that ended while nobody was there: its last words and how it ended are known", async (bench) => {
  const order = bench.order("demo");
  const first = await bench.link();
  await first.call("start", order);
  await first.wait(order, "ready");
  using latch = new Latch(bench.home);
  await first.prompt(order, `count 10 0\nrun ${latch.wait}\ncrash`);
  await first.wait(order, "text");
  await bench.daemon.kill();
  latch.open();
  await bench.untilThere(order, "exit");
  await bench.daemonUp();
  const next = await attach(bench, order, 0);
  const { ending } = await next.wait(order, "ended");
  assert.deepEqual(ending, { kind: "killed", signal: "SIGKILL" });
  assert.ok(next.text(order).startsWith(numbers(10)));
});

test("[LNK-30] what had ended before agentctl was killed is told by the next one, the same", async (bench) => {
  const order = bench.order("demo");
  const first = await bench.link();
  await first.call("start", order);
  await first.turn(order, "count 3 0");
  await first.wait(order, "transcript");
  await first.stop(order);
  await bench.daemon.kill();
  await bench.daemonUp();
  const next = await attach(bench, order, 0);
  await next.wait(order, "ended");
  const shape = (link: TestLink) =>
    link.of(order).filter(({ kind }) => kind !== "text");
  assert.deepEqual(shape(next), shape(first));
  assert.equal(next.text(order), first.text(order));
});

for (const point of [
  "agentctl.journal.ordered",
  "agentctl.files",
  "agentctl.launched",
])
  test(`[LNK-39] [P4] agentctl killed at ${point}: nothing of it is left, and the same order starts it`, async (bench) => {
    const order = bench.order("demo");
    const first = await bench.link();
    await bench.arm(point);
    first.call("start", order).catch(() => undefined);
    await bench.daemon.crashed();
    await bench.daemonUp();
    const next = await bench.link();
    assert.deepEqual(await next.call("executions", {}), { executions: [] });
    assert.deepEqual(
      await markedProcesses(`REPRISE_EXECUTION=${order.execution_id}`),
      [],
    );
    await next.call("start", order);
    await next.wait(order, "ready");
    await next.stop(order);
  });

test("[P5] a permission pending when agentctl was killed can still be answered", async (bench) => {
  const order = bench.order("demo");
  const { execution_id, epoch } = order;
  const first = await bench.link();
  await first.call("start", order);
  await first.prompt(order, "ask-write asked.txt yes");
  const asked = await first.wait(order, "permission_requested");
  await bench.daemon.kill();
  await bench.daemonUp();
  const next = await attach(bench, order, asked.range.to);
  const { permission_id, options } = asked;
  const option_id = options.find(({ kind }) => kind === "allow_once")!.id;
  await next.call("answer", {
    execution_id,
    epoch,
    permission_id,
    option_id,
  });
  await next.wait(order, "answer_delivered");
  await next.wait(order, "turn_ended");
  assert.equal(
    (await readFile(join(bench.home, "asked.txt"), "utf8")).trim(),
    "yes",
  );
});

// The messages of a start are `initialize` and `session/new`; the third is the prompt.
const prompting = [
  "agentctl.journal.handed:1",
  "agentctl.journal.sent:3",
  "agentctl.stdin.body:3",
  "agentctl.journal.committed:3",
  "agentctl.stdin.newline:3",
  "agentctl.journal.written:3",
];

for (const point of prompting)
  test(`[P1] [P7] [LNK-21] agentctl killed at ${point}: the prompt runs once`, async (bench) => {
    const order = orderWithLedger(bench);
    const { execution_id, epoch } = order;
    const first = await bench.link();
    await bench.arm(point);
    await first.call("start", order);
    await first.wait(order, "ready");
    const prompt_id = newPrompt();
    const content = [{ type: "text", text: "remember A=B" }];
    const delivery = { execution_id, epoch, prompt_id, content };
    first.call("prompt", delivery).catch(() => undefined);
    await bench.daemon.crashed();
    await bench.daemonUp();
    const next = await attach(bench, order, 0);
    await next.call("prompt", delivery);
    await next.wait(order, "turn_ended");
    assert.match(await next.turn(order, "recall A"), /A=B/);
    assert.equal((await ledgerOf(order)).length, 2);
    const delivered = next
      .of(order)
      .filter(
        (it) => it.kind === "prompt_delivered" && it.prompt_id === prompt_id,
      );
    assert.equal(delivered.length, 1);
  });

const opening = [
  "agentctl.journal.launched:1",
  "agentctl.stdin.body:1",
  "agentctl.journal.committed:1",
  "agentctl.stdin.newline:1",
  "agentctl.stdin.body:2",
  "agentctl.journal.committed:2",
  "agentctl.journal.opened:1",
];

for (const point of opening)
  test(`[LNK-21] agentctl killed at ${point}: the next one opens the session`, async (bench) => {
    const order = bench.order("demo");
    const first = await bench.link();
    await bench.arm(point);
    first.call("start", order).catch(() => undefined);
    await bench.daemon.crashed();
    await bench.daemonUp();
    const next = await attach(bench, order, 0);
    assert.equal((await next.wait(order, "ready")).opened, "new");
    assert.match(await next.turn(order, "hello"), /You said: hello/);
  });

test("[LNK-21] a message cut in the middle is refused by the agent and may be sent again", async (bench) => {
  const order = orderWithLedger(bench);
  const { execution_id, epoch } = order;
  const first = await bench.link();
  await first.call("start", order);
  await first.wait(order, "ready");
  const pid = Number(await readFile(bench.path(order, "pid"), "utf8"));
  process.kill(pid, "SIGSTOP");
  const prompt_id = newPrompt();
  const content = [{ type: "text", text: `remember A=${"b".repeat(1 << 20)}` }];
  const delivery = { execution_id, epoch, prompt_id, content };
  await first.call("prompt", delivery);
  await bench.untilJournal(order, `"prompt_id":"${prompt_id}"}}`);
  await bench.daemon.kill();
  process.kill(pid, "SIGCONT");
  await bench.daemonUp();
  const next = await attach(bench, order, 0);
  await next.call("prompt", delivery);
  await next.wait(order, "turn_ended");
  assert.equal((await ledgerOf(order)).length, 1);
});

test("[LNK-29] SIGTERM ends agentctl and not the agent", async (bench) => {
  const order = bench.order("demo");
  const first = await bench.link();
  await first.call("start", order);
  await first.wait(order, "ready");
  bench.daemon.child.kill("SIGINT");
  bench.daemon.child.kill("SIGHUP");
  assert.match(await first.turn(order, "hello"), /You said/);
  await bench.daemon.kill("SIGTERM");
  assert.deepEqual(await bench.daemon.exited, [0, null]);
  await bench.daemonUp();
  const next = await attach(bench, order, 0);
  assert.match(await next.turn(order, "hello"), /2 prompts/);
});
