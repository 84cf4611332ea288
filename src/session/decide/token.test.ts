import assert from "node:assert/strict";
import { test } from "node:test";
import { abilities, execution, Story } from "../testing.ts";

test("[LNK-37] the token that an agent names late replaces the one it opened with, and what was recorded of that one", () => {
  const story = new Story().up().queue(1).deliver(1);
  assert.equal(story.state.agent.token, "native-1");
  story
    .report({ kind: "token", token: "thread-1", range: story.words(5) })
    .thenEvents({
      type: "session.token.recorded",
      data: { execution_id: execution(1), epoch: 1, token: "thread-1" },
    });
  assert.equal(story.state.agent.token, "thread-1");
  assert.equal(story.state.agent.transcript, null);
});

test("[SES-22] [P2] whoever cannot resume natively gets no token, and its words are kept", () => {
  const never = abilities({ resume: false, load: false });
  const story = new Story().begin().ready({ abilities: never });
  story
    .report({ kind: "token", token: "thread-1", range: story.words(5) })
    .thenEvents({
      type: "session.agent.update",
      data: { update: { token: "thread-1" } },
    });
  assert.equal(story.state.agent.token, null);
});
