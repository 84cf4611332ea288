import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../../session/testing.ts";
import { promptOver, sessionNews } from "./session-news.ts";

test("[TSK-23] a task is told that somebody has to log in", () => {
  const story = new Story().queue(1).begin().report({
    kind: "start_failed",
    range: null,
    failure: "not_logged_in",
    message: "Log in first.",
  });
  const { state, error } = sessionNews(story.state, []);
  assert.equal(state, "ERROR");
  assert.deepEqual(error, { code: "not_logged_in", text: "Log in first." });
});

test("[SES-90] [TSK-23] a task is told whether somebody paused its turn or its agent died", () => {
  const begun = () => new Story().ask(1).up().queue(1).deliver(1);
  const codeOf = (story: Story): string | undefined =>
    story.events.flatMap((event) => promptOver(event)?.reason?.code ?? [])[0];
  const died = begun().die([], { kind: "killed", signal: "SIGKILL" });
  assert.equal(died.last("session.turn.interrupted").code, "agent_died");
  assert.equal(codeOf(died), "interrupted");
  const paused = begun()
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });
  assert.equal(paused.last("session.turn.interrupted").code, "paused");
  assert.equal(codeOf(paused), "paused");
  const ended = begun().given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  assert.equal(ended.last("session.turn.interrupted").code, "session_ended");
});
