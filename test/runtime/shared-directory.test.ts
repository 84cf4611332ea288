/** Sessions that work in one directory: a rewind of one of them leaves the others alone. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, problems, request, root, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const capturedAfter = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn" &&
  event.data.checkpoint.turn === turn;

const isSharing = ({ type }: Event) => type === "session.workspace.shared";

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

test("[CPT-9] [P3] a rewind does not go by what was so before another turn", async () => {
  const { place, runtime, operations, id } = await stage();
  place.whileLooking = async () => {
    place.whileLooking = async () => {};
    await say(runtime, id, 2);
  };
  const back = () => operations.rewindSession(id, { turn: 0, dry_run: false });
  await assert.rejects(back(), /went on while/);
  assert.ok(place.rewinds.every(({ dry_run }) => dry_run));
  await back();
  assert.equal(place.rewinds.at(-1)?.own?.length, 2);
  await runtime.close();
});

test("[CPT-8] [P8] sessions that a dying server did not tell of each other are told apart none the less", async () => {
  const clock = { ms: Date.now() };
  const now = () => new Date((clock.ms += 1000));
  const place = new KeepingPlace();
  const store = memoryStore();
  const dying = await house(fakeExecutors(place), {
    now,
    store: {
      ...store,
      append: async (change) => {
        if (change.events.some(isSharing))
          throw new RepriseError("storage_unavailable", "It died.");
        return store.append(change);
      },
    },
  });
  const { id } = await dying.operations.createSession(
    request({ cwd: "/work" }),
  );
  await say(dying, id, 1);
  const own = async (runtime: House, turn: number) => {
    await runtime.operations.rewindSession(id, { turn, dry_run: true });
    return place.rewinds.at(-1)?.own;
  };
  assert.equal(await own(dying, 0), null, "it was alone");
  await assert.rejects(
    dying.operations.createSession(request({ cwd: "/work", prompt: "x" })),
    /It died/,
  );
  // Its turn is over before anybody recovers: only the prompts below are to meet the place as it is set up there.
  const { sessions } = await dying.operations.listSessions({ limit: 2 });
  const other = sessions.find((session) => session.id !== id);
  assert.ok(other !== undefined);
  await until(dying, other.id, capturedAfter(1));
  await dying.close();

  const runtime = await house(fakeExecutors(place), { now, store });
  await runtime.recovery.startup("startup");
  // What the turn finds cannot be captured, what it leaves can.
  const { onPrompt } = place;
  place.capturesFail = true;
  place.onPrompt = (...prompt) => {
    place.capturesFail = false;
    onPrompt(...prompt);
  };
  await say(runtime, id, 2);
  await assert.rejects(own(runtime, 1), /What turn 2 did was not captured/);
  await say(runtime, id, 3);
  const list = await runtime.operations.listCheckpoints(id);
  const [start, left] = list.slice(-2);
  assert.deepEqual(await own(runtime, 2), [
    { from: start?.tree, to: left?.tree },
  ]);
  await runtime.close();
});

test("[REC-40] [P8] what another session did in the middle of a turn is its own, also when the clock is set back meanwhile", async () => {
  const clock = { ms: Date.now() };
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place), {
    now: () => new Date((clock.ms += 1000)),
  });
  const { operations } = runtime;
  const add = () => operations.createSession(request({ cwd: "/work" }));
  const [{ id }, { id: other }] = [await add(), await add()];
  const { onPrompt } = place;
  const asked = Promise.withResolvers<() => void>();
  place.onPrompt = (...prompt) => asked.resolve(() => onPrompt(...prompt));
  await operations.queuePrompt(id, { text: "1" });
  const answer = await asked.promise;
  place.onPrompt = onPrompt;
  clock.ms -= 3 * 3_600_000;
  await say(runtime, other, 1);
  answer();
  await until(runtime, id, capturedAfter(1));
  await operations.rewindSession(id, { turn: 0, dry_run: true });
  const [start, left] = (await operations.listCheckpoints(other)).slice(-2);
  assert.deepEqual(place.rewinds.at(-1)?.others, [
    { from: start?.tree, to: left?.tree },
  ]);
  await runtime.close();
});

test("[CPT-8] what was made for a session is its own, whoever works above", async () => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const above = await operations.createSession(request({ cwd: dirname(root) }));
  const { id } = await operations.createSession(request());
  await say(runtime, id, 1);
  await say(runtime, above.id, 1);
  await operations.rewindSession(id, { turn: 0, dry_run: true });
  assert.equal(place.rewinds.at(-1)?.own, null);
  await runtime.close();
});

const code = (wanted: string) => (error: unknown) =>
  error instanceof RepriseError && error.code === wanted;

test("[CPT-9] in a shared directory too a turn in progress is why a rewind must wait", async () => {
  const { place, runtime, operations, id } = await stage();
  place.onPrompt = () => undefined;
  await operations.queuePrompt(id, { text: "2" });
  await until(
    runtime,
    id,
    (event) => event.type === "session.turn.started" && event.data.turn === 2,
  );
  for (const dry_run of [true, false])
    await assert.rejects(
      operations.rewindSession(id, { turn: 0, dry_run }),
      code("wrong_state"),
    );
  await runtime.close();
});

test("[CPT-8] [P3] who comes to a directory while it is being rewound keeps what is there", async () => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ cwd: "/work" }));
  await say(runtime, id, 1);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  place.held = promise;
  const rewinding = operations.rewindSession(id, { turn: 0, dry_run: false });
  await until(runtime, id, ({ type }) => type === "session.rewind.requested");
  await operations.createSession(request({ cwd: "/work" }));
  release();
  await assert.rejects(rewinding, code("rewind_conflict"));
  assert.ok(place.rewinds.every(({ dry_run }) => dry_run));
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
