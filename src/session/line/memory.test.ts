import assert from "node:assert/strict";
import { test } from "node:test";
import {
  begun,
  FRESH,
  marksIn,
  NATIVE,
  rewind,
  short,
  turns,
} from "../fixtures/line-stories.ts";
import { abilities, prompt } from "../testing.ts";

test("[SES-174] an injected resume makes what was before told, and a fresh one unknown", () => {
  const story = turns(1, 2).die().queue(3).begin().ready();
  story.deliver(3).endTurn(3).captured(4);
  assert.deepEqual(short(story), [
    "start",
    "1 told",
    "2 told",
    "break - injected",
    "3 own",
  ]);
  story.die().queue(4).begin().ready(FRESH);
  assert.deepEqual(short(story).slice(-5), [
    "2 none",
    "break - injected",
    "3 none",
    "break - fresh",
    "4 own",
  ]);
});

test("[SES-174] a native resume without the turns that were cut off: the agent is told of these", () => {
  const story = turns(1).queue(2).deliver(2).die().captured(3);
  story
    .queue(3)
    .begin()
    .ready({ ...NATIVE, forgotten: 1 });
  assert.deepEqual(short(story), [
    "start",
    "1 own",
    "2 told",
    "break 2 native",
    "3 own",
  ]);
});

test("[SES-174] turns of which nothing fitted into the history are not known", () => {
  const story = begun();
  for (const n of [1, 2, 3]) {
    story
      .queue(n)
      .deliver(n)
      .say("a")
      .endTurn(n)
      .captured(n + 1);
  }
  story.die().queue(4).begin().ready();
  story.given({
    type: "history.inject",
    prompt_id: prompt(4),
    text: "history",
    left_out: 3,
  });
  assert.deepEqual(short(story), [
    "start",
    "1 none",
    "2 told",
    "3 told",
    "break - injected",
    "4 own",
  ]);
});

test("[SES-174] [SES-176] another agent is told of everything before it", () => {
  const story = turns(1, 2).given({
    type: "session.handoff",
    definition: { agent: "other", home: "user", env_names: [] },
    abilities: abilities(),
  });
  story.die([], { kind: "stopped" }).queue(3).begin().ready();
  story.deliver(3).endTurn(3).captured(4);
  assert.deepEqual(short(story), [
    "start",
    "1 told",
    "2 told",
    "handed_off",
    "3 own",
  ]);
  assert.partialDeepStrictEqual(marksIn(story)[3], {
    kind: "handed_off",
    to: "other",
  });
});

test("[SES-174] [SES-175] a rewind leaves turns behind, and brings back what the agent knew then", () => {
  const story = turns(1, 2).die().queue(3).begin().ready(FRESH);
  story.deliver(3).endTurn(3).captured(4);
  assert.deepEqual(short(story).slice(1, 3), ["1 none", "2 none"]);
  rewind(story, 2, true);
  assert.deepEqual(short(story), [
    "start",
    "1 own",
    "2 own",
    "break - fresh",
    "3 none behind",
    "rewound 2",
  ]);
  assert.partialDeepStrictEqual(marksIn(story).at(-1), {
    kind: "rewound",
    to: 2,
    files: 14,
  });
  story.queue(4).begin().ready(NATIVE);
  assert.deepEqual(short(story).at(-1), "4 own");
});

test("[SES-174] [SES-175] without the agent's files of then it is told, and an undo brings turns back", () => {
  const story = rewind(turns(1, 2, 3), 1, false);
  assert.deepEqual(short(story), [
    "start",
    "1 told",
    "2 none behind",
    "3 none behind",
    "rewound 1",
  ]);
  rewind(story, 3, true);
  assert.deepEqual(short(story), [
    "start",
    "1 own",
    "2 own",
    "3 own",
    "rewound 1",
    "rewound 3",
  ]);
});
