/** What must hold of a session after every step, whatever was done to it. For tests. */
import assert from "node:assert/strict";
import type { Event } from "../contract/event/event.ts";
import { Session } from "../contract/session/session.ts";
import { isTerminal } from "../contract/session/state.ts";
import { entriesOf } from "../kit/data/persistent-map.ts";
import { evolve } from "./evolve/evolve.ts";
import { intend, keyOf } from "./intend.ts";
import { isQueueHeld } from "./state/quota/held-queue.ts";
import type { State } from "./state/state.ts";
import { viewOf } from "./view/view.ts";
import { turnsKnown, turnsOnLine } from "./state/turns.ts";

export const checkInvariants = (events: readonly Event[]): void => {
  const state = events.reduce<State | null>(evolve, null);
  assert.ok(state !== null);
  checkNumbers(events, state);
  checkStateChain(events, state);
  checkExecutions(events, state);
  checkOutput(events);
  checkPrompts(events, state);
  checkPermissions(events, state);
  checkFold(events, state);
  checkIntents(state);
  checkCheckpoints(state);
  checkTurns(events, state);
  Session.parse(viewOf(state));
};

const checkTurns = (events: readonly Event[], state: State): void => {
  const line = new Set(turnsOnLine(state));
  const origin = events.find(({ type }) => type === "session.forked");
  const before =
    origin?.type === "session.forked"
      ? (origin.data.turns ?? origin.data.parent.turn)
      : 0;
  const over = events.filter(
    (event) =>
      (event.type === "session.turn.ended" ||
        event.type === "session.turn.interrupted" ||
        event.type === "session.prompt.uncertain") &&
      line.has(event.data.turn),
  );
  assert.equal(
    turnsKnown(state.turns),
    before + over.length,
    "[SES-19] what the agent should know of is what is over and gone on from",
  );
};

const checkNumbers = (events: readonly Event[], state: State): void => {
  events.forEach((event, i) =>
    assert.equal(event.seq, i + 1, "[SES-1] events are numbered without gaps"),
  );
  assert.equal(state.seq, events.length);
};

const checkStateChain = (events: readonly Event[], state: State): void => {
  let name = "CREATED";
  for (const event of events) {
    if (event.type !== "session.state_changed") continue;
    assert.equal(
      event.data.from,
      name,
      "[SES-3] each change starts where the one before ended",
    );
    assert.notEqual(event.data.to, name);
    assert.ok(
      !isTerminal(event.data.from),
      "[SES-4] nothing leaves a terminal state",
    );
    name = event.data.to;
  }
  assert.equal(
    state.lifecycle.name,
    name,
    "[SES-3] the state is the newest change's",
  );
};

const checkExecutions = (events: readonly Event[], state: State): void => {
  let live: number | null = null;
  let newest = 0;
  for (const event of events) {
    if (event.type === "session.execution.started") {
      assert.equal(live, null, "[SES-11] one execution at a time");
      assert.ok(event.data.epoch > newest, "[SES-11] epochs grow");
      live = newest = event.data.epoch;
    }
    if (event.type === "session.execution.ended") {
      assert.equal(event.data.epoch, live);
      live = null;
    }
    if (event.origin !== undefined)
      assert.equal(
        event.origin.epoch,
        live,
        "[SES-12] only the live execution speaks",
      );
  }
  assert.equal(state.execution?.epoch ?? null, live);
  const { name } = state.lifecycle;
  if (name === "PAUSED")
    assert.equal(live, null, "[SES-15] paused means that nothing runs");
  if (name === "RUNNING")
    assert.notEqual(live, null, "a turn needs an execution");
};

const checkOutput = (events: readonly Event[]): void => {
  const reached = new Map<number, { from: number; to: number }>();
  for (const { origin } of events) {
    if (origin === undefined) continue;
    const last = reached.get(origin.epoch) ?? { from: 0, to: 0 };
    const same = last.from === origin.from && last.to === origin.to;
    assert.ok(same || origin.from === last.to, "[SES-13] ranges touch");
    reached.set(origin.epoch, origin);
  }
};

const checkPrompts = (events: readonly Event[], state: State): void => {
  const where = new Map<string, string>();
  const delivered = new Set<string>();
  let turn: string | null = null;
  let highest = 0;
  for (const event of events) {
    switch (event.type) {
      case "session.forked":
        highest = event.data.parent.turn;
        break;
      case "session.prompt.queued":
        where.set(event.data.prompt_id, "queue");
        break;
      case "session.turn.started":
        assert.equal(turn, null, "[SES-6] one turn at a time");
        assert.equal(where.get(event.data.prompt_id), "queue");
        assert.ok(
          event.data.turn === highest || event.data.turn === highest + 1,
          "[SES-6] turns are numbered in order",
        );
        highest = event.data.turn;
        turn = event.data.prompt_id;
        where.set(turn, "turn");
        break;
      case "session.prompt.delivered":
        assert.equal(turn, event.data.prompt_id);
        assert.ok(
          !delivered.has(event.data.prompt_id),
          "[P1] nothing is delivered twice",
        );
        delivered.add(event.data.prompt_id);
        break;
      case "session.prompt.requeued":
        assert.ok(
          !delivered.has(event.data.prompt_id),
          "[SES-8] what was delivered is not queued again",
        );
        where.set(event.data.prompt_id, "queue");
        turn = null;
        break;
      case "session.turn.ended":
      case "session.turn.interrupted":
      case "session.prompt.uncertain":
        assert.equal(turn, event.data.prompt_id);
        where.set(event.data.prompt_id, "over");
        turn = null;
        break;
      case "session.prompt.cancelled":
        assert.equal(where.get(event.data.prompt_id), "queue");
        where.set(event.data.prompt_id, "over");
        break;
      default:
        break;
    }
  }
  assert.equal(
    state.lifecycle.name === "RUNNING",
    turn !== null,
    "[SES-6] running means that a turn is in progress",
  );
  const queued = [...where]
    .filter(([, place]) => place === "queue")
    .map(([id]) => id);
  assert.deepEqual(
    state.prompts.queue.map(({ id }) => String(id)).sort(),
    queued.sort(),
    "[P1] every admitted prompt is accounted for",
  );
  if (isTerminal(state.lifecycle.name)) assert.deepEqual(queued, []);
};

const checkPermissions = (events: readonly Event[], state: State): void => {
  const open = new Set<string>();
  /** What the agent has not got: answers, and that there will be none. */
  const answered = new Set<string>();
  const refused = new Set<string>();
  for (const event of events) {
    if (event.type === "session.permission.requested")
      open.add(event.data.permission.id);
    if (event.type === "session.permission.answered") {
      assert.ok(open.delete(event.data.id), "[SES-16] what is answered waited");
      answered.add(event.data.id);
    }
    if (event.type === "session.permission.delivered")
      assert.ok(
        answered.delete(event.data.id) || refused.delete(event.data.id),
        "[SES-16] what is delivered was answered",
      );
    if (event.type === "session.permission.closed") {
      const { id, reason } = event.data;
      assert.ok(
        open.delete(id) || answered.delete(id),
        "[SES-16] what is closed was open",
      );
      if (reason === "too_many") refused.add(id);
    }
    if (endsTurn(event)) refused.clear();
    if (event.type === "session.execution.ended")
      assert.equal(open.size + answered.size, 0, "[SES-14] nothing stays open");
  }
  assert.deepEqual(
    new Set(state.permissions.pending.map(({ id }) => String(id))),
    open,
  );
  assert.deepEqual(
    new Set([...entriesOf(state.permissions.answers)].map(([id]) => id)),
    answered.union(refused),
  );
};

const endsTurn = ({ type }: Event): boolean =>
  type === "session.turn.ended" ||
  type === "session.turn.interrupted" ||
  type === "session.prompt.uncertain" ||
  type === "session.execution.ended";

/** A snapshot anywhere, and the events after it, give the same state. */
const checkFold = (events: readonly Event[], state: State): void => {
  const middle = Math.ceil(events.length / 2);
  const half = events.slice(0, middle).reduce<State | null>(evolve, null);
  const snapshot: State | null = JSON.parse(JSON.stringify(half));
  assert.deepEqual(
    events.slice(middle).reduce<State | null>(evolve, snapshot),
    state,
    "[SES-1] a snapshot is as good as the journal",
  );
};

const checkIntents = (state: State): void => {
  const keys = intend(state).map(keyOf);
  assert.equal(new Set(keys).size, keys.length, "[SES-24] no intent twice");
  if (
    state.lifecycle.name === "STARTING" &&
    state.checkpoints.rewinding === null
  )
    assert.equal(
      keys.filter((key) => !key.startsWith("checkpoint")).length,
      1,
      "[SES-24] a start always has a next step",
    );
  if (
    state.lifecycle.name === "RUNNING" &&
    state.lifecycle.turn.delivery.kind === "pending" &&
    state.execution?.phase.kind === "ready"
  )
    assert.ok(
      keys.some((key) => key.startsWith("deliver")),
      "[SES-24] a prompt that was not taken is to be delivered",
    );
};

const checkCheckpoints = (state: State): void => {
  const { lifecycle, execution } = state;
  const { due, rewinding } = state.checkpoints;
  if (lifecycle.name === "RUNNING") {
    assert.ok(
      due === null || due.kind === "safety",
      "[CPT-2] a turn begins when what was before it is captured",
    );
    assert.equal(rewinding, null, "[CPT-9] no turn runs during a rewind");
  }
  if (
    lifecycle.name === "WAITING_FOR_INPUT" &&
    execution?.phase.kind === "ready" &&
    state.prompts.queue.length > 0 &&
    state.deleted_at === null
  )
    assert.ok(
      due !== null ||
        rewinding !== null ||
        state.budget.reached !== null ||
        isQueueHeld(state),
      "[CPT-2] [SES-104] [REC-104] only a checkpoint, a rewind, a budget, a quota or a turn that goes on first keeps a prompt waiting",
    );
};
