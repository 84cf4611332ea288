import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../../contract/session/checkpoint.ts";
import { SessionId } from "../../../contract/base/id.ts";
import { LOCAL } from "../../../contract/base/place.ts";
import type { NeededBySession } from "../../ports/store.ts";
import { NeedsReader } from "./needs.ts";

const FAR = { kind: "remote", id: "far" };

const needed = (n: number, place = { ...LOCAL }): NeededBySession => ({
  session_id: SessionId.parse(`ses_${String(n).padStart(26, "0")}`),
  place,
  checkpoints: [
    {
      id: checkpointId(n),
      turn: 1,
      kind: "turn",
      tree: `tree ${n}`,
      agent_state: `agent ${n}`,
      place,
    },
  ],
  isIncomplete: false,
});

/** A store that is read when it is let. */
const slowStore = () => {
  const readings: (() => void)[] = [];
  const told = [needed(1)];
  const store = {
    async *needed() {
      const seen = [...told];
      const { promise, resolve } = Promise.withResolvers<void>();
      readings.push(resolve);
      await promise;
      yield* seen;
    },
  };
  return { store, readings, told };
};

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test("[CPT-56] places that ask together share a reading; who asks while one is under way gets what was told before it asked", async () => {
  const { store, readings, told } = slowStore();
  const reader = new NeedsReader(store);
  const first = [reader.at(LOCAL), reader.at(FAR)];
  await turn();
  assert.equal(readings.length, 1);
  told.push(needed(2));
  const second = [reader.at(LOCAL), reader.at(LOCAL)];
  await turn();
  assert.equal(readings.length, 1, "one after the other");
  readings[0]?.();
  await turn();
  readings[1]?.();
  const [here, there] = await Promise.all(first);
  assert.deepEqual([...(here?.trees ?? [])], ["tree 1", "agent 1"]);
  assert.deepEqual([...(there?.trees ?? [])], []);
  for (const { trees, checkpoints } of await Promise.all(second)) {
    assert.deepEqual([...trees], ["tree 1", "agent 1", "tree 2", "agent 2"]);
    assert.equal(checkpoints, 2);
  }
  assert.equal(readings.length, 2);
});

test("[CPT-56] a reading that failed is everybody's who asked for it, and no later one's", async () => {
  let isBroken = true;
  const reader = new NeedsReader({
    async *needed() {
      if (isBroken) throw new Error("no");
      yield needed(1);
    },
  });
  await assert.rejects(reader.at(LOCAL), /no/);
  isBroken = false;
  assert.equal((await reader.at(LOCAL)).checkpoints, 1);
});
