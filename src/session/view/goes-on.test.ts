import assert from "node:assert/strict";
import { test } from "node:test";
import { prompt, Story } from "../testing.ts";
import { listedViewOf } from "./listed-view.ts";
import { viewOf } from "./view.ts";

const LATER = "2026-01-01T05:00:00.000Z";

const goesOn = ({ state }: Story) =>
  viewOf(state).unresolved_prompts[0]?.goes_on;

const cutByQuota = (on_quota: string): Story =>
  new Story({ on_quota }).up().queue(1).deliver(1).useUp(1, LATER);

test("[SES-140] a turn that waits for a decision does not go on by itself", () => {
  const story = new Story({}).up().queue(1).deliver(1).die();
  assert.equal(goesOn(story), null);
  assert.equal(goesOn(cutByQuota("wait")), null);
});

test("[SES-140] a turn that `on_interrupt` continues goes on, until the session is paused", () => {
  const story = new Story({ on_interrupt: "continue" }).up();
  story.queue(1).deliver(1).die();
  assert.deepEqual(goesOn(story), { at: null });
  assert.deepEqual(
    listedViewOf(story.state).unresolved_prompts,
    viewOf(story.state).unresolved_prompts,
  );
  assert.equal(
    goesOn(story.given({ type: "session.pause", reason: "paused" })),
    null,
  );
});

test("[SES-140] a turn that waits for a quota says when it goes on, also while the session is paused", () => {
  const story = cutByQuota("continue");
  assert.deepEqual(goesOn(story), { at: LATER });
  assert.deepEqual(
    goesOn(story.given({ type: "session.pause", reason: "paused" })),
    { at: LATER },
  );
});

test("[SES-140] with another agent it goes on at once; where that one cannot stand in, when the quota is filled", () => {
  const story = cutByQuota("handoff:demo-inject");
  assert.deepEqual(goesOn(story), { at: null });
  story.given({
    type: "quota.pass_over",
    agent: "demo-inject",
    code: "agent_not_installed",
    message: "not installed",
  });
  assert.deepEqual(goesOn(story), { at: LATER });
});

test("[SES-140] a session that is in the trash or has used up its budget goes on with nothing", () => {
  assert.equal(
    goesOn(cutByQuota("continue").given({ type: "session.delete" })),
    null,
  );
  const spent = new Story({
    on_interrupt: "continue",
    budget: { turns: 1 },
  }).up();
  assert.equal(goesOn(spent.queue(1).deliver(1).die()), null);
  assert.deepEqual(
    viewOf(spent.state).unresolved_prompts.map(({ id }) => id),
    [prompt(1)],
  );
});
