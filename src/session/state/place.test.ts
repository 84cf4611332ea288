import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event/event.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { Session } from "../../contract/session/session.ts";
import { decideImport } from "../decide/import.ts";
import { evolve } from "../evolve/evolve.ts";
import { placeOf } from "./place.ts";
import type { State } from "./state.ts";
import { at, Story } from "../testing.ts";
import { viewOf } from "../view/view.ts";

const ELSEWHERE = { kind: "remote", id: "build-host" };

const placesIn = (events: readonly Event[]) =>
  events.flatMap(({ type, data }) =>
    "place" in data ? [{ type, place: data.place }] : [],
  );

test("[REC-59] a session names its place when it is created, in each execution and in its view", () => {
  const story = new Story({ place: ELSEWHERE }).up();
  assert.deepEqual(placesIn(story.events), [
    { type: "session.created", place: ELSEWHERE },
    { type: "session.execution.started", place: ELSEWHERE },
  ]);
  assert.deepEqual(placeOf(story.state), ELSEWHERE);
  const { place, executor } = viewOf(story.state);
  assert.deepEqual(
    { place, executor },
    { place: ELSEWHERE, executor: "remote" },
  );
});

test("[REC-59] a journal and a view without a place mean this machine", () => {
  const story = new Story().up();
  const state = story.events
    .map(withoutPlace)
    .reduce<State | null>(evolve, null);
  assert.ok(state !== null);
  assert.deepEqual(state.workspace.place, LOCAL);
  assert.deepEqual(state.execution?.place, LOCAL);
  const { place: _, ...older } = viewOf(state);
  assert.deepEqual(Session.parse(older).place, LOCAL);
});

test("[REC-59] a session that is imported goes on where it was taken in", () => {
  const { events } = new Story({ place: ELSEWHERE }).up();
  const taken = { events, task_id: null, place: LOCAL, cwd: "/here" };
  const { after } = decideImport(taken, at(50));
  assert.deepEqual(after.workspace.place, LOCAL);
  assert.equal(viewOf(after).executor, LOCAL.kind);
});

test("[REC-60] an execution comes after all that the journal and the place know", () => {
  const epochAfter = (epoch?: number): number =>
    new Story().up().die().queue(1).begin(2, { epoch }).state.executions_so_far
      .epoch;
  assert.deepEqual([epochAfter(), epochAfter(0), epochAfter(7)], [2, 2, 8]);
});

/** As an older release wrote it. */
const withoutPlace = (event: Event): Event => {
  switch (event.type) {
    case "session.created": {
      const { place: _, ...data } = event.data;
      return { ...event, data };
    }
    case "session.execution.started": {
      const { place: _, ...data } = event.data;
      return { ...event, data };
    }
    default:
      return event;
  }
};
