/** Two engines write to the same journal, as two servers would. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Command } from "../../session/state/command.ts";
import { creation, prompt, SESSION } from "../../session/testing.ts";
import { memoryStore } from "../../store/memory.ts";
import { sessionEngine } from "../fixtures/session-engine.ts";
import type { Store } from "../ports/store.ts";

test("[REC-57] a writer that another one has overtaken decides again, and its followers miss nothing", async () => {
  const store = memoryStore();
  const [one, other] = await both(store);
  const told: number[] = [];
  other.commits.on(SESSION, ({ events }) =>
    told.push(...events.map(({ seq }) => seq)),
  );
  const { seq } = await other.engine.state(SESSION);
  await one.engine.issue(SESSION, queue(1));
  const after = await other.engine.issue(SESSION, queue(2));
  assert.deepEqual(
    after.prompts.queue.map(({ id }) => id),
    [prompt(1), prompt(2)],
  );
  assert.deepEqual(
    told,
    Array.from({ length: after.seq - seq }, (_, n) => seq + 1 + n),
  );
  assert.deepEqual(other.lost, []);
});

test("[REC-57] what does not fit any more is refused as it would have been at first", async () => {
  const [one, other] = await both(memoryStore());
  await one.engine.issue(SESSION, {
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  await assert.rejects(other.engine.issue(SESSION, queue(1)), {
    code: "session_ended",
  });
  assert.deepEqual(other.lost, []);
});

test("[REC-57] a condition is looked at again, and work in the lane is done again with the new state", async () => {
  const [one, other] = await both(memoryStore());
  await one.engine.issue(SESSION, queue(1));
  const isEmpty = await other.engine.issueIf(
    SESSION,
    (state) => state.prompts.queue.length === 0,
    queue(2),
  );
  assert.equal(isEmpty, false);
  await one.engine.issue(SESSION, queue(2));
  const seen: number[] = [];
  const length = await other.engine.exclusively(SESSION, async (state) => {
    seen.push(state.prompts.queue.length);
    return { command: queue(3), answer: (after) => after.prompts.queue.length };
  });
  assert.deepEqual(seen, [1, 2]);
  assert.equal(length, 3);
});

test("[REC-57] [REC-11] a lost term is told as such at once, and nothing is tried again", async () => {
  const inner = memoryStore();
  let appends = 0;
  const store: Store = {
    ...inner,
    append: (change) => {
      appends += 1;
      return inner.append(change);
    },
  };
  const [one] = await both(store);
  await store.claim();
  appends = 0;
  await assert.rejects(one.engine.issue(SESSION, queue(1)), {
    code: "superseded",
  });
  assert.equal(appends, 1);
  assert.deepEqual(one.lost, ["standalone/local"]);
});

test("[REC-57] who is overtaken again and again is told so in the end", async () => {
  const store = memoryStore();
  const [one] = await both({
    ...store,
    append: async (change) => {
      if (change.after > 0)
        throw new RepriseError("moved_on", "Another one was quicker.");
      await store.append(change);
    },
  });
  await assert.rejects(one.engine.issue(SESSION, queue(1)), {
    code: "moved_on",
  });
  assert.deepEqual(one.lost, []);
});

const queue = (n: number): Command => ({
  type: "prompt.queue",
  prompt_id: prompt(n),
  content: [{ type: "text", text: `prompt ${n}` }],
});

/** Both know the session as it was created. */
const both = async (store: Store) => {
  const term = await store.claim();
  const writers = [
    sessionEngine(store, term),
    sessionEngine(store, term),
  ] as const;
  await writers[0].engine.create(creation());
  await writers[1].engine.state(SESSION);
  return writers;
};
