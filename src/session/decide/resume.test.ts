import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { abilities, prompt, Story } from "../testing.ts";

const resumedWith = (overrides: Parameters<Story["ready"]>[0]) => {
  const story = new Story().up().queue(1).deliver(1).endTurn(1);
  story
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });
  return story
    .given({ type: "session.resume", trigger: "request" })
    .begin()
    .ready(overrides);
};

test("[SES-19] [P6] a verified native resume is native and loses nothing", () => {
  const { resume } = resumedWith({ opened: "resumed", verified: true }).last(
    "session.resumed",
  );
  assert.deepEqual(
    [resume.grade, resume.strategy, resume.verified, resume.lost, resume.path],
    ["native", "native", true, null, "fast"],
  );
});

test("[SES-19] [SES-22] [P6] an unknown session becomes injected, the token is cleared, the user is told", () => {
  const story = resumedWith({
    opened: "new",
    native_session_id: "native-2",
    failed: { reason: "unknown_session", message: "session not found" },
  });
  assert.equal(story.last("session.token.cleared").token, "native-1");
  assert.equal(story.state.agent.token, "native-2");
  const { resume } = story.last("session.resumed");
  assert.deepEqual([resume.grade, resume.verified], ["injected", false]);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.last("session.state_changed").reason, "unknown_token");
  assert.equal(story.last("session.notice").code, "context_lost");
});

test("[SES-19] [SES-22] [P6] an agent with neither ability starts fresh, says what was lost and leaves no token", () => {
  const neither = abilities({ resume: false, load: false, injection: false });
  const story = new Story({ abilities: neither })
    .begin()
    .ready({ abilities: neither })
    .queue(1)
    .deliver(1)
    .endTurn(1);
  story
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });
  story
    .given({ type: "session.resume", trigger: "request" })
    .begin()
    .ready({ abilities: neither });
  const { resume } = story.last("session.resumed");
  assert.equal(resume.grade, "fresh");
  assert.match(resume.lost ?? "", /1 turn/);
  assert.equal(story.state.agent.token, null);
  assert.equal(story.state.prompts.before_next.inject, false);
});

test("[SES-20] history goes before the first prompt after the resume, once", () => {
  const story = resumedWith({
    opened: "new",
    failed: { reason: "transcript_damaged", message: "damaged" },
  });
  assert.equal(story.state.prompts.before_next.inject, true);
  assert.equal(
    story.state.agent.token,
    "native-1",
    "the agent did not say it does not know the session",
  );
  story.queue(2);
  const inject = {
    type: "history.inject",
    prompt_id: prompt(2),
    text: "history",
    left_out: 0,
  } as const;
  const first = intend(story.state)[0];
  assert.ok(first?.kind === "deliver" && first.inject);
  // agentctl was away, and it is handed over again.
  story.when(inject).thenEvents("session.history.injected");
  story.when(inject).thenEvents();
  // Another agent has to be told.
  story
    .die([prompt(2)])
    .begin()
    .ready({ opened: "new" })
    .when(inject)
    .thenEvents("session.history.injected");
  story.deliver(2).endTurn(2).queue(3);
  const second = intend(story.state)[0];
  assert.ok(second?.kind === "deliver" && !second.inject);
});

test("[SES-25] [P6] what did not fit into the history is in the grade and told, once", () => {
  const story = resumedWith({
    opened: "new",
    failed: { reason: "transcript_damaged", message: "damaged" },
  }).queue(2);
  const inject = {
    type: "history.inject",
    prompt_id: prompt(2),
    text: "history",
    left_out: 7,
  } as const;
  story.given(inject).given(inject);
  const words = /oldest 7 messages did not fit/g;
  const { lost } = story.state.agent.resume ?? {};
  assert.match(lost ?? "", /1 turn/);
  assert.equal(lost?.match(words)?.length, 1);
  const told = story.events.filter(
    (event) =>
      event.type === "session.notice" && event.data.code === "history_left_out",
  );
  assert.equal(told.length, 1);
});

test("[SES-23] asking again while it starts or runs adds nothing", () => {
  const resume = { type: "session.resume", trigger: "request" } as const;
  const story = new Story().begin();
  story.when(resume).thenEvents().when(resume).thenEvents();
  story.ready().when(resume).thenEvents();
});

const agentctl = { runtime: "standalone", url: "unix:/a", pid: 7, build: "1" };

test("[SES-20] [P6] history that is due stays due until a prompt has carried it: across a reattach and another resume", () => {
  const story = resumedWith({
    opened: "new",
    failed: { reason: "transcript_damaged", message: "damaged" },
  });
  story.given({
    type: "execution.reattach",
    epoch: 2,
    took_ms: 1,
    agentctl,
  });
  assert.equal(story.state.prompts.before_next.inject, true);
  story.given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  story.given({ type: "session.resume", trigger: "request" }).begin();
  // It comes back to the new session that was never given the history.
  story.ready({ opened: "resumed", verified: true });
  assert.equal(story.last("session.resumed").resume.grade, "injected");
  assert.equal(story.state.prompts.before_next.inject, true);
  story.queue(2).deliver(2);
  assert.equal(story.state.prompts.before_next.inject, false);
});

test("[API-14] how long a reattach took is told in whole milliseconds", () => {
  const story = new Story().up();
  story.given({
    type: "execution.reattach",
    epoch: 1,
    took_ms: 6.28,
    agentctl,
  });
  assert.equal(story.last("session.resumed").resume.took_ms, 6);
});

test("[SES-81] what an ended session and one in the trash refuse has the reason that status gives", () => {
  const ended = new Story()
    .up()
    .given({ type: "session.end", outcome: "completed", reason: "requested" });
  ended.when({ type: "session.resume", trigger: "request" });
  assert.partialDeepStrictEqual(ended.decision, {
    kind: "refused",
    reason: "ended",
  });
  const deleted = new Story().up().die().given({ type: "session.delete" });
  deleted.when({ type: "session.resume", trigger: "request" });
  assert.partialDeepStrictEqual(deleted.decision, {
    kind: "refused",
    reason: "deleted",
  });
});
