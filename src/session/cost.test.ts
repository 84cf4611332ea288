import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../contract/event/event.ts";
import { permissionId } from "../contract/base/id.ts";
import type { ReportItem } from "../contract/link/report.ts";
import type { Create } from "./state/command.ts";
import { decide } from "./decide/decide.ts";
import { intend } from "./intend.ts";
import type { State } from "./state/state.ts";
import { askItem, at, prompt, Story } from "./testing.ts";
import { KNOWN_ENDED_CALLS, MAX_OPEN_CALLS } from "./state/tool-calls.ts";
import { viewOf } from "./view/view.ts";

type Range = { from: number; to: number };
/** What the agent says in the n-th place, given bytes to say it with. */
type Saying = (n: number, bytes: () => Range) => ReportItem[];

/** A session in the middle of a turn, which remembers nothing but its state. */
class Long {
  state: State;

  constructor(overrides: Partial<Create> = {}) {
    this.state = new Story(overrides).up().queue(1).deliver(1).state;
  }

  say(items: (bytes: () => Range) => ReportItem[]): readonly Event[] {
    let from = this.state.execution?.offset ?? 0;
    const bytes = (): Range => ({ from, to: (from += 10) });
    const { epoch } = this.state.executions_so_far;
    const decision = decide(
      this.state,
      { type: "execution.report", epoch, items: items(bytes) },
      at(1),
    );
    assert.ok(decision.kind === "events");
    this.state = decision.after;
    return decision.events;
  }

  /** How many slots of objects and arrays the state after it does not share with the one before. */
  cost(items: (bytes: () => Range) => ReportItem[]): number {
    const before = this.state;
    this.say(items);
    return freshSlots(before, this.state);
  }
}

const freshSlots = (before: State, after: State): number => {
  const known = new Set<unknown>();
  const walk = (value: unknown, visit: (value: object) => boolean): void => {
    if (typeof value !== "object" || value === null || !visit(value)) return;
    for (const child of Object.values(value)) walk(child, visit);
  };
  walk(before, (value) => !known.has(value) && Boolean(known.add(value)));
  let slots = 0;
  walk(after, (value) => {
    if (known.has(value)) return false;
    slots += Object.keys(value).length;
    return true;
  });
  return slots;
};

const tool = (
  range: Range,
  id: string,
  status: "in_progress" | "completed",
): ReportItem => ({ kind: "tool", tool: { id, title: "Read", status }, range });

const chunk: Saying = (_, bytes) => [
  { kind: "text", role: "agent", text: "word ", range: bytes() },
];
const call: Saying = (n, bytes) => [
  tool(bytes(), `call ${n}`, "in_progress"),
  tool(bytes(), `call ${n}`, "completed"),
];
const openCall: Saying = (n, bytes) => [
  tool(bytes(), `call ${n}`, "in_progress"),
];
const permission: Saying = (n, bytes) => [askItem(permissionId(1, n), bytes())];

const EARLY = 200;
const LATE = 10_000;

const allowAll: Partial<Create> = {
  definition: {
    agent: "demo",
    home: "user",
    env_names: [],
    permissions: { default: "allow-all", rules: [] },
  },
};

const sayings: [what: string, Saying, overrides?: Partial<Create>][] = [
  ["text", chunk],
  ["tool calls that end", call],
  ["tool calls that do not end", openCall],
  ["permission requests", permission],
  ["permission requests that the policy answers", permission, allowAll],
];

for (const [what, saying, overrides] of sayings)
  test(`[SES-34] ${what}: the 10,000th of a turn costs what the 200th does`, () => {
    const long = new Long(overrides);
    for (let n = 1; n < EARLY; n += 1) long.say((bytes) => saying(n, bytes));
    const early = long.cost((bytes) => saying(EARLY, bytes));
    for (let n = EARLY + 1; n < LATE; n += 1)
      long.say((bytes) => saying(n, bytes));
    const late = long.cost((bytes) => saying(LATE, bytes));
    assert.ok(late <= early * 1.5, `${early} slots became ${late}`);
    assert.ok(intend(long.state).length <= 20);
    assert.ok(viewOf(long.state).pending_permissions.length <= 100);
  });

test("[SES-34] what a turn leaves in the state is bounded", () => {
  const sizeAfter = (calls: number): number => {
    const long = new Long();
    for (let n = 1; n <= calls; n += 1)
      long.say((bytes) => [...call(n, bytes), ...chunk(n, bytes)]);
    return JSON.stringify(long.state).length;
  };
  const few = sizeAfter(1000);
  const many = sizeAfter(10_000);
  assert.ok(many < few * 1.1, `${few} characters became ${many}`);
});

test("[SES-34] a call is known until it has ended and 64 others have ended since; then an update is a message of its own", () => {
  const long = new Long();
  long.say((bytes) => [...openCall(0, bytes), ...call(1, bytes)]);
  for (let n = 2; n <= KNOWN_ENDED_CALLS; n += 1)
    long.say((bytes) => call(n, bytes));
  const update = (id: string) =>
    long.say((bytes) => [
      { kind: "tool", tool: { id, output: "more" }, range: bytes() },
    ])[0]?.type;
  assert.equal(update("call 1"), "session.tool.updated");
  long.say((bytes) => call(KNOWN_ENDED_CALLS + 1, bytes));
  assert.equal(update("call 1"), "session.message.added");
  assert.equal(update("call 0"), "session.tool.updated");
});

test("[SES-34] of more open calls than are followed each still has its message, and the turn ends", () => {
  const long = new Long();
  for (let n = 0; n < MAX_OPEN_CALLS + 10; n += 1)
    long.say((bytes) => openCall(n, bytes));
  assert.equal(long.state.output.tools.open.size, MAX_OPEN_CALLS);
  const events = long.say((bytes) => [
    {
      kind: "turn_ended",
      prompt_id: prompt(1),
      stop_reason: "end_turn",
      usage: null,
      error: null,
      range: bytes(),
    },
  ]);
  const closed = events.filter(({ type }) => type === "session.tool.updated");
  assert.equal(closed.length, MAX_OPEN_CALLS);
  assert.equal(long.state.lifecycle.name, "WAITING_FOR_INPUT");
  assert.equal(long.state.output.tools.open.size, 0);
});
