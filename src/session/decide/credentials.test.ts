import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { prompt, Story } from "../testing.ts";

const asking = (n: number, not_with_epoch: number) => ({
  type: "prompt.queue" as const,
  prompt_id: prompt(n),
  content: [{ type: "text" as const, text: `prompt ${n}` }],
  not_with_epoch,
});

const kinds = (story: Story) => intend(story.state).map(({ kind }) => kind);

test("[SES-61] an agent with other credentials is stopped before the prompt, and another execution gets it", () => {
  const story = new Story().up().given(asking(1, 1));
  assert.equal(story.name, "STARTING");
  assert.deepEqual(kinds(story), ["stop"]);
  assert.equal(story.last("session.notice").code, "credentials_changed");
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "STARTING");
  assert.ok(kinds(story).includes("begin"));
  story.up();
  assert.equal(story.name, "RUNNING");
  assert.equal(story.last("session.turn.started").epoch, 2);
  assert.equal(story.last("session.turn.started").prompt_id, prompt(1));
});

test("[SES-61] a turn in progress goes on to its end first, and prompts of others before it get their turns", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2);
  story.given(asking(3, 1)).endTurn(1).deliver(2);
  assert.equal(story.name, "RUNNING");
  assert.equal(story.types().includes("session.execution.stopping"), false);
  story.endTurn(2);
  assert.equal(story.last("session.execution.stopping").epoch, 1);
  assert.equal(story.name, "STARTING");
});

test("[SES-61] an execution that began meanwhile gets the prompt", () => {
  const story = new Story().up().die();
  story.given({ type: "session.resume", trigger: "request" });
  story.up().given(asking(1, 1)).found();
  assert.equal(story.name, "RUNNING");
});

test("[SES-61] a prompt is not given to an execution that was started for other credentials", () => {
  const [A, B] = ["a", "b"];
  const from = (n: number, credentials: string) => ({
    type: "prompt.queue" as const,
    prompt_id: prompt(n),
    content: [{ type: "text" as const, text: `prompt ${n}` }],
    credentials,
  });
  const story = new Story().given(from(1, A));
  const upWith = (credentials: string) =>
    story.begin(undefined, {}, { credentials }).ready();
  upWith(A);
  story.deliver(1).given(from(2, B)).given(from(3, A)).queue(4);
  story.endTurn(1);
  assert.deepEqual(kinds(story), ["stop"]);
  story.die([], { kind: "stopped" });
  upWith(B);
  story.deliver(2).endTurn(2);
  assert.equal(story.last("session.execution.stopping").epoch, 2);
  // It has a turn with its sender's credentials also when its agent dies before it takes it.
  story.die([], { kind: "stopped" });
  upWith(A);
  story.die([prompt(3)]);
  assert.equal(story.state.prompts.queue[0]?.credentials, A);
  upWith(A).deliver(3).endTurn(3);
  // Who sends none takes what there is.
  assert.equal(story.name, "RUNNING");
  assert.equal(story.last("session.turn.started").epoch, 4);
});

const DIGEST = "d".repeat(43);
const sentWith = (n: number, credentials: string, not_with_epoch?: number) => ({
  type: "prompt.queue" as const,
  prompt_id: prompt(n),
  content: [{ type: "text" as const, text: `prompt ${n}` }],
  credentials,
  ...(not_with_epoch !== undefined && { not_with_epoch }),
});

test("[SES-61] prompts whose credentials nobody has any more are given to an agent without them, which is told", () => {
  const [A, B, C] = [`a${DIGEST}`, `b${DIGEST}`, `c${DIGEST}`];
  const story = new Story().given(sentWith(1, A)).given(sentWith(2, B));
  const overrides = { credentials: C, without: [A, B] };
  story.begin(undefined, {}, overrides);
  const notice = story.last("session.notice");
  assert.equal(notice.code, "credentials_missing");
  assert.match(notice.text, /the server's own credentials/);
  assert.match(notice.text, /resume the session with yours/);
  story.ready().deliver(1).endTurn(1).deliver(2);
  assert.equal(story.last("session.turn.started").epoch, 1);
  // B sends another one, so B's credentials are known again: also for those that wait.
  story
    .given(sentWith(3, A))
    .given(sentWith(4, B))
    .given(sentWith(5, B, 1));
  story.endTurn(2).deliver(3);
  assert.equal(story.last("session.turn.started").epoch, 1);
  story.endTurn(3);
  assert.equal(story.last("session.execution.stopping").epoch, 1);
  assert.equal(story.last("session.notice").code, "credentials_changed");
  story.die([], { kind: "stopped" });
  story.begin(undefined, {}, { credentials: B }).ready().deliver(4);
  story.endTurn(4).deliver(5);
  assert.equal(story.last("session.turn.started").epoch, 2);
});

test("[SES-61] a label of an older release is read, and says nothing about credentials of now", () => {
  const story = new Story().given(sentWith(1, "7.1"));
  story.begin(undefined, {}, { credentials: "7.1" }).ready();
  story.deliver(1).given(sentWith(2, "7.1")).endTurn(1).deliver(2);
  assert.equal(story.last("session.turn.started").epoch, 1, "the same release");
  story.given(sentWith(3, DIGEST)).endTurn(2);
  assert.equal(story.last("session.execution.stopping").epoch, 1);
  const { code, text } = story.last("session.notice");
  assert.equal(code, "credentials_changed");
  assert.match(text, /^Nothing says that/);
});

test("[SES-61] who resumes lends credentials to what waits after a failed start, and to nothing otherwise", () => {
  const resume = {
    type: "session.resume",
    trigger: "request",
    credentials: "b",
  } as const;
  const labels = (story: Story) =>
    story.state.prompts.queue.map(({ credentials }) => credentials);
  const story = new Story().given(sentWith(1, "a")).queue(2);
  const fail = { code: "x", message: "It wants a login." };
  story.given({ type: "execution.fail", epoch: null, ...fail });
  assert.equal(story.name, "ERROR");
  assert.deepEqual(labels(story.given(resume)), ["b", undefined]);

  const paused = new Story().given(sentWith(1, "a"));
  paused.given({ type: "session.pause", reason: "paused" }).given(resume);
  assert.equal(paused.name, "STARTING");
  assert.deepEqual(labels(paused), ["a"]);
});
