/** Rewinds where something could not be captured. What is not known may be somebody's work. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { house, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const at = (letter: string) => ({
  head: letter.repeat(40),
  branch: "refs/heads/main",
  own: null,
  index: null,
});

const capturedAfter = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn" &&
  event.data.checkpoint.turn === turn;

/** Turn 1 ended at commit a, turn 2 at commit b; the files are the same. */
const stage = async () => {
  const place = Object.assign(new KeepingPlace(), {
    isStill: true,
    changes: [],
    git: at("a"),
  });
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ cwd: "/work" }));
  for (const [turn, letter] of [
    [1, "a"],
    [2, "b"],
  ] as const) {
    place.git = at(letter);
    await operations.queuePrompt(id, { text: `turn ${turn}` });
    await until(runtime, id, capturedAfter(turn));
  }
  const touched = () => place.rewinds.filter(({ dry_run }) => !dry_run).length;
  return { place, runtime, operations, id, touched };
};

test("[CPT-55] HEAD that could not be captured is not moved", async () => {
  const { place, runtime, operations, id, touched } = await stage();
  place.capturesFail = true;
  await assert.rejects(
    operations.rewindSession(id, { turn: 1, dry_run: false }),
    {
      code: "checkpoint_failed",
    },
  );
  assert.equal(touched(), 0);
  // It was done before, and the answer was lost.
  place.git = at("a");
  await operations.rewindSession(id, { turn: 1, dry_run: false });
  assert.equal(touched(), 1);
  await runtime.close();
});

test("[CPT-52] an undo asks before it moves HEAD where nobody knows what the rewind left", async () => {
  const { place, runtime, operations, id, touched } = await stage();
  place.onRewound = () => {
    place.git = at("a");
    place.capturesFail = true;
  };
  const { undo } = await operations.rewindSession(id, {
    turn: 1,
    dry_run: false,
  });
  assert.ok(undo !== undefined);
  place.capturesFail = false;
  place.onRewound = () => {};
  // Somebody commits, and that is captured when the session is paused.
  place.git = at("c");
  await operations.resumeSession(id, {});
  await operations.pauseSession(id);
  const before = touched();
  await assert.rejects(
    operations.rewindSession(id, {
      checkpoint: undo.checkpoint,
      dry_run: false,
      edits: "refuse",
    }),
    { code: "rewind_unconfirmed" },
  );
  assert.equal(touched(), before);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
