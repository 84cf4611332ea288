import assert from "node:assert/strict";
import { test } from "node:test";
import type { InForce, Restriction } from "../../contract/agent/restriction.ts";
import { changedDefinition, lostByHandoff } from "./change-definition.ts";
import { listedViewOf } from "../view/listed-view.ts";
import { creation, Story } from "../testing.ts";
import { viewOf } from "../view/view.ts";

const plain = creation().definition;
const typo: Restriction = {
  what: "mode",
  asked: "readonly",
  reason: "not_offered",
  valid: ["read-only", "work"],
  message: null,
};
const inForce: InForce = {
  mode: { value: "read-only", held: "agent" },
  model: null,
  settings: null,
  tools: { held: "words" },
};

/** A prompt waits, and the agent could not be held to its mode. */
const stopped = (restriction = typo): Story =>
  new Story({ definition: { ...plain, mode: "readonly" } })
    .queue(1)
    .begin()
    .report({
      kind: "start_failed",
      range: null,
      failure: "restriction_not_held",
      message: "The agent does not have the mode readonly.",
      restriction,
    });

test("[SES-57] [P9] a restriction that cannot be held is an error with its facts, and the prompt waits", () => {
  const story = stopped();
  const view = viewOf(story.state);
  assert.deepEqual(
    [view.state, view.error_code, view.restriction],
    ["ERROR", "restriction_not_held", typo],
  );
  assert.equal(view.queued_prompts.length, 1);
  assert.deepEqual(story.last("session.state_changed").restriction, typo);
});

test("[SES-57] a resume that corrects it goes on with the prompt that waits", () => {
  const story = stopped().die([], { kind: "stopped" });
  story
    .given({
      type: "session.resume",
      trigger: "request",
      changes: { mode: "read-only" },
    })
    .up();
  assert.equal(
    story.last("session.definition.changed").definition.mode,
    "read-only",
  );
  assert.equal(story.name, "RUNNING");
  assert.equal(viewOf(story.state).restriction, null);
});

test("[SES-57] it may be corrected while the agent that was stopped is still going", () => {
  const story = stopped().given({
    type: "session.resume",
    trigger: "request",
    changes: { without: ["mode"] },
  });
  assert.equal(story.state.agent.definition.mode, undefined);
  story.die([], { kind: "stopped" }).up();
  assert.equal(story.name, "RUNNING");
});

test("[SES-57] while an agent runs with the old ones, changes are refused; what changes nothing is not", () => {
  const story = new Story({ definition: { ...plain, mode: "work" } }).up();
  const resume = { type: "session.resume", trigger: "request" } as const;
  story
    .when({ ...resume, changes: { mode: "read-only" } })
    .thenRefused("wrong_state");
  story.given({ ...resume, changes: { mode: "work" } });
  assert.ok(!story.types().includes("session.definition.changed"));
});

test("[SES-57] in lists, the values that an agent offers are cut to what fits", () => {
  const valid = Array.from({ length: 100 }, () => "v".repeat(200));
  const { state } = stopped({ ...typo, valid });
  const listed = listedViewOf(state);
  assert.ok(JSON.stringify(listed.restriction).length < 4096);
  assert.deepEqual(listed.shortened, ["restriction"]);
});

test("[SES-58] what is in force is shown as the agent confirmed it, until the definition is another one", () => {
  const definition = { ...plain, mode: "ro", disallowed_tools: ["Bash"] };
  const story = new Story({ definition });
  assert.equal(viewOf(story.state).applied, null);
  story.begin().ready({ applied: inForce });
  assert.deepEqual(viewOf(story.state).applied, {
    mode: { value: "read-only", held: "agent" },
    model: null,
    settings: null,
    tools: {
      value: { allowed: null, disallowed: ["Bash"] },
      held: "words",
    },
  });
  story
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" })
    .given({
      type: "session.resume",
      trigger: "request",
      changes: { mode: "work" },
    });
  assert.equal(viewOf(story.state).applied, null);
});

test("[SES-58] a mode that the agent changes by itself is followed", () => {
  const story = new Story().begin().ready({ applied: inForce });
  story.report({
    kind: "unknown",
    range: story.words(5),
    update: { sessionUpdate: "current_mode_update", currentModeId: "work" },
  });
  assert.equal(viewOf(story.state).applied?.mode?.value, "work");
});

test("[API-124] what is dropped goes first, what is not named stays", () => {
  const before = {
    ...plain,
    mode: "plan",
    allowed_tools: ["Read"],
    disallowed_tools: ["Bash"],
    instructions: "be kind",
  };
  assert.deepEqual(
    changedDefinition(before, {
      without: ["tools"],
      disallowed_tools: ["WebFetch"],
      advisory_tools: true,
    }),
    {
      ...plain,
      mode: "plan",
      disallowed_tools: ["WebFetch"],
      instructions: "be kind",
      advisory_tools: true,
    },
  );
});

test("[API-124] a handoff loses no mode, model or settings unless the request says so", () => {
  const before = { ...plain, mode: "plan", model: "m", settings: { a: 1 } };
  const lost = (change: Parameters<typeof lostByHandoff>[1]) =>
    lostByHandoff(before, change)?.what ?? null;
  assert.equal(lost({}), "mode");
  assert.equal(lost({ mode: "read-only" }), "settings");
  assert.equal(lost({ mode: "read-only", without: ["settings"] }), "model");
  const both = { without: ["mode" as const, "settings" as const] };
  assert.equal(lost({ ...both, model: "n" }), null);
  assert.equal(lost({ ...both, model_fallback: true }), null);
  assert.equal(lostByHandoff(plain, {}), null);
});
