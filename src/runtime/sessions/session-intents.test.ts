import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import { Later } from "../../kit/time/later.ts";
import { Story } from "../../session/testing.ts";
import { CommitFeed } from "../../journal/commit-feed.ts";
import type { Sessions } from "./session-journal.ts";
import { sessionIntents } from "./session-intents.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

test("a wish that comes after news without one is pursued", async () => {
  const done: string[] = [];
  const react = async (_: unknown, { kind }: { kind: string }) => {
    done.push(kind);
  };
  const intents = sessionIntents(new CommitFeed<Sessions>(), {
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
  const intents = sessionIntents(new CommitFeed<Sessions>(), {
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

test("[REC-68] what is let go is not tried again, and nothing of it is kept", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let tries = 0;
  const intents = sessionIntents(new CommitFeed<Sessions>(), {
    react: async () => {
      tries += 1;
      throw new RepriseError("agentctl_unavailable", "It is away.");
    },
    later: new Later(),
    log,
  });
  const { state } = new Story().queue(1).begin();
  intents.pursue(state);
  await intents.drain();
  assert.deepEqual([...intents.kept()], [state.id]);
  intents.letGo(new Set([state.id]));
  assert.deepEqual([...intents.kept()], []);
  t.mock.timers.tick(60_000);
  await intents.drain();
  assert.equal(tries, 1);
});

test("[REC-68] [REC-86] a session that is gone, or that another server has, is left alone", async () => {
  for (const code of ["superseded", "session_not_found"] as const) {
    let tries = 0;
    const intents = sessionIntents(new CommitFeed<Sessions>(), {
      react: async () => {
        tries += 1;
        throw new RepriseError(code, "It is not here.");
      },
      later: new Later(),
      log,
    });
    intents.pursue(new Story().queue(1).begin().state);
    await intents.drain();
    assert.deepEqual([...intents.kept(), tries], [1]);
  }
});
