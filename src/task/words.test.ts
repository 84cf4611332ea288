import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, promptId, TaskStory } from "./fixtures/task-story.ts";

const EXTENDED =
  "The requirements of this task were extended (version 2). This is new, not a retry; what you have done stands unless this says otherwise.";

test("[TSK-9] the first prompt is the title, the description and the contexts", () => {
  const story = new TaskStory({
    contexts: [
      { text: "Use the new library." },
      { name: "api.md", text: "GET /" },
    ],
  }).run();
  assert.equal(
    story.sending.text,
    "# Fix the login\n\nUsers are logged out after a minute.\n\n## Version 2\n\nUse the new library.\n\n## api.md\n\nGET /",
  );
});

test("[TSK-10] an attempt that was cut off is continued in these words", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .over(
      1,
      "interrupted",
      {},
      { code: "agent_ended", text: "the agent\ndied" },
    )
    .reviewed()
    .retry(2, "continue");
  assert.equal(
    story.sending.text,
    "Your previous attempt at this task was interrupted (the agent died). Look at what is already done and continue from there; do not repeat finished work.",
  );
});

test("[TSK-10] what the agent may not have received is sent again, and the words say so", () => {
  const story = new TaskStory().run().sent().over(1, "uncertain").reviewed();
  const { text, resolves } = story.retry(2, "continue").sending;
  assert.equal(resolves, promptId(1));
  assert.match(text, /it is not known whether you received what follows/);
  assert.match(
    text,
    /# Fix the login\n\nUsers are logged out after a minute\.$/,
  );
});

test("[TSK-10] [TSK-20] what the session was not told yet follows", () => {
  const story = new TaskStory({ timeout_minutes: 1 }).run().sent().works(1);
  story.at(60).when({
    type: "task.wake",
    ids: idsOf(9),
    session: null,
  });
  story.add(2, "Also mend the logout.").then("task.context.added");
  story.over(1, "cancelled").reviewed();
  assert.equal(story.state.attempts[1]?.mode, "update");
  assert.equal(story.sending.text, `${EXTENDED}\n\nAlso mend the logout.`);
});

test("[TSK-19] what is added to a running attempt is queued in its session", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .works(1)
    .add(2, "Also mend the logout.")
    .then("task.context.added", "task.attempt.extended");
  assert.equal(story.state.attempts.length, 1);
  assert.equal(story.sending.text, `${EXTENDED}\n\nAlso mend the logout.`);
  assert.equal(story.sending.prompt_id, promptId(2));
});

test("[TSK-19] what is added to a task that nobody has tried is told with the description", () => {
  const story = new TaskStory().add(1, "Also mend the logout.");
  story.then("task.context.added");
  assert.equal(story.state.last_reported_state, "TODO");
  assert.match(story.run().sending.text, /Also mend the logout\.$/);
});

test("[TSK-11] a new session is told what was tried", () => {
  const story = new TaskStory().run().sent().works(1).at(720);
  story.over(1, "failed").reviewed({
    files_changed: [{ path: "a.ts", change: "modified" }],
    last_words: "I could not find\nthe cause.",
  });
  story.retry(2, "fresh");
  assert.equal(
    story.sending.text,
    [
      "# Fix the login",
      "Users are logged out after a minute.",
      [
        "This task was tried once before, by agents whose conversation you do not have:",
        "– 1 (demo, 12 min): failed. Changed: a.ts. Last words: I could not find the cause.",
        "Check what they left before you build on it.",
      ].join("\n"),
    ].join("\n\n"),
  );
});

test("[TSK-11] long lists and long last words are cut", () => {
  const files_changed = Array.from({ length: 30 }, (_, n) => ({
    path: `file-${n}`,
    change: "added" as const,
  }));
  const story = new TaskStory().run().sent().over(1, "failed");
  story.reviewed({
    files_changed,
    files_left_out: 5,
    last_words: "x".repeat(9000),
  });
  const { text } = story.retry(2, "fresh").sending;
  assert.match(text, /file-19 and 15 more\./);
  assert.ok(text.length < 2000);
});
