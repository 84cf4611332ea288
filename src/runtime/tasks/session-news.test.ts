import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../../session/testing.ts";
import { sessionNews } from "./session-news.ts";

test("[TSK-23] a task is told that somebody has to log in", () => {
  const story = new Story().queue(1).begin().report({
    kind: "start_failed",
    range: null,
    failure: "not_logged_in",
    message: "Log in first.",
  });
  const { state, error } = sessionNews(story.state, {
    over: [],
    resumed: false,
  });
  assert.equal(state, "ERROR");
  assert.deepEqual(error, { code: "not_logged_in", text: "Log in first." });
});
