import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./command.ts";
import { decide } from "../decide/decide.ts";
import { readState, writeState } from "./snapshot.ts";
import type { State } from "./state.ts";
import { Story } from "../testing.ts";

const after = (state: State, ms: number): string =>
  new Date(Date.parse(state.times.newest_at) + ms).toISOString();

const pause: Command = { type: "session.pause", reason: "paused" };

/** The stamps of what is decided so long after the newest event. */
const stamps = (state: State, ms: number): string[] => {
  const decision = decide(state, pause, after(state, ms));
  assert.equal(decision.kind, "events");
  assert.notEqual(decision.events.length, 0);
  return [...new Set(decision.events.map(({ at }) => at))];
};

test("[SES-73] the stamps of a session do not go back with a clock that is set back a little", () => {
  const { state, events } = new Story().up();
  assert.equal(state.times.newest_at, events.at(-1)?.at);
  // Also for the server that reads the session again.
  for (const each of [state, readState(writeState(state))]) {
    assert.deepEqual(stamps(each, -1), [state.times.newest_at]);
    assert.deepEqual(stamps(each, -60_000), [state.times.newest_at]);
    assert.deepEqual(stamps(each, 1), [after(state, 1)]);
  }
});

test("[SES-73] a clock that is set back by more than a minute is taken as it is", () => {
  const { state } = new Story().up();
  assert.deepEqual(stamps(state, -60_001), [after(state, -60_001)]);
});
