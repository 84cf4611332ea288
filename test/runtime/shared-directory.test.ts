/** Sessions that work in one directory: a rewind of one of them leaves the others alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event.ts";
import type { SessionId } from "../../src/contract/id.ts";
import { LinkError } from "../../src/contract/link-error.ts";
import { fakeExecutors } from "../../src/runtime/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const capturedAfter = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn" &&
  event.data.checkpoint.turn === turn;

const say = async (runtime: House, id: SessionId, turn: number) => {
  await runtime.operations.queuePrompt(id, { text: `${turn}` });
  await until(runtime, id, capturedAfter(turn));
};

/** Two sessions in one directory, of which the first has done a turn. */
const stage = async () => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ cwd: "/work" }));
  await operations.createSession(request({ cwd: "/work" }));
  await say(runtime, id, 1);
  return { place, store, runtime, operations, id };
};

test("[CPT-7] [CPT-8] a rewind in a shared directory is undone by the checkpoint that it names", async () => {
  const { place, runtime, operations, id } = await stage();
  const undo = async () => {
    const list = await operations.listCheckpoints(id);
    const at = list.findLastIndex(({ kind }) => kind === "rewind");
    const [from, to] = list.slice(at, at + 2);
    assert.ok(from !== undefined && to !== undefined);
    await operations.rewindSession(id, {
      checkpoint: from.id,
      dry_run: true,
    });
    assert.deepEqual(place.rewinds.at(-1)?.own, [
      { from: from.tree, to: to.tree },
    ]);
  };
  await operations.rewindSession(id, { turn: 0, dry_run: false });
  await undo();
  await say(runtime, id, 2);
  place.rewindFails = new LinkError("internal", "The disk is on fire.");
  await assert.rejects(
    operations.rewindSession(id, { turn: 0, dry_run: false }),
    /rewind to chk_\d+/,
  );
  await undo();
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
