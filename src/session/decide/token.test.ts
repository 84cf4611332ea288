import assert from "node:assert/strict";
import { test } from "node:test";
import { abilities, Story } from "../testing.ts";

test("[LNK-37] the token that an agent names late replaces the one it opened with, and what was recorded of that one", () => {
  const story = new Story().up().queue(1).deliver(1);
  assert.equal(story.state.agent.token, "native-1");
  story.report({
    kind: "token",
    token: "thread-1",
    range: story.words(5),
  });
  assert.equal(story.state.agent.token, "thread-1");
  assert.equal(story.state.agent.transcript, null);
  const { execution_id, epoch } = story.last("session.token.recorded");
  assert.deepEqual(
    [execution_id, epoch],
    [story.state.execution?.id, story.state.execution?.epoch],
  );
});

test("[SES-22] [P2] whoever cannot resume natively gets no token, and its words are kept", () => {
  const never = abilities({ resume: false, load: false });
  const story = new Story().begin().ready({ abilities: never });
  story.report({
    kind: "token",
    token: "thread-1",
    range: story.words(5),
  });
  assert.equal(story.state.agent.token, null);
  assert.deepEqual(story.last("session.agent.update").update, {
    token: "thread-1",
  });
});
