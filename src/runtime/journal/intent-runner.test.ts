import assert from "node:assert/strict";
import { test } from "node:test";
import { Later } from "../../kit/time/later.ts";
import { Story } from "../../session/testing.ts";
import { CommitFeed } from "./commit-feed.ts";
import { IntentRunner } from "./intent-runner.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

test("a wish that comes after news without one is pursued", async () => {
  const done: string[] = [];
  const react = async (_: unknown, { kind }: { kind: string }) => {
    done.push(kind);
  };
  const intents = new IntentRunner(new CommitFeed(), {
    react,
    later: new Later(),
    log,
  });
  const story = new Story().queue(1).begin();
  intents.pursue(story.state);
  await intents.drain();
  // The launch is settled and still wished: there is nothing to do now.
  intents.pursue(story.state);
  await intents.drain();
  intents.pursue(story.ready().state);
  await intents.drain();
  assert.deepEqual(done, ["launch", "deliver"]);
});

test("[REC-7] [P10] who starts over with an older state does not hide what happened since", async () => {
  const done: string[] = [];
  const react = async (_: unknown, { kind }: { kind: string }) => {
    done.push(kind);
  };
  const intents = new IntentRunner(new CommitFeed(), {
    react,
    later: new Later(),
    log,
  });
  const story = new Story().queue(1).begin();
  const older = story.state;
  intents.pursue(story.ready().state);
  intents.startOver([older]);
  await intents.drain();
  assert.deepEqual(done, ["deliver"]);
});
