import assert from "node:assert/strict";
import { test } from "node:test";
import { Later } from "../../kit/time/later.ts";
import { Story } from "../../session/testing.ts";
import { Bulletin } from "./bulletin.ts";
import { Pursuit } from "./pursuit.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

test("a wish that comes after news without one is pursued", async () => {
  const done: string[] = [];
  const react = async (_: unknown, { kind }: { kind: string }) => {
    done.push(kind);
  };
  const pursuit = new Pursuit(new Bulletin(), {
    react,
    later: new Later(),
    log,
  });
  const story = new Story().queue(1).begin();
  pursuit.pursue(story.state);
  await pursuit.drain();
  // The launch is settled and still wished: there is nothing to do now.
  pursuit.pursue(story.state);
  await pursuit.drain();
  pursuit.pursue(story.ready().state);
  await pursuit.drain();
  assert.deepEqual(done, ["launch", "deliver"]);
});

test("[REC-7] [P10] who starts over with an older state does not hide what happened since", async () => {
  const done: string[] = [];
  const react = async (_: unknown, { kind }: { kind: string }) => {
    done.push(kind);
  };
  const pursuit = new Pursuit(new Bulletin(), {
    react,
    later: new Later(),
    log,
  });
  const story = new Story().queue(1).begin();
  const older = story.state;
  pursuit.pursue(story.ready().state);
  pursuit.startOver([older]);
  await pursuit.drain();
  assert.deepEqual(done, ["deliver"]);
});
