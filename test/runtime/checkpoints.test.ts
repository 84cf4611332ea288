import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  type House,
  problems,
  promptsIn,
  request,
  until,
} from "./house.ts";
import { hash, KeepingPlace } from "./keeping-place.ts";
import { refused } from "./refused.ts";

const capturedAfter = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn" &&
  event.data.checkpoint.turn === turn;

/** A session that was told some things, one per turn. */
const told = async (
  runtime: House,
  words: readonly string[],
  given: object = {},
): Promise<SessionId> => {
  const { id } = await runtime.operations.createSession(request(given));
  for (const [i, text] of words.entries()) {
    await runtime.operations.queuePrompt(id, { text });
    await until(runtime, id, capturedAfter(i + 1));
  }
  return id;
};

const stage = async () => {
  const place = Object.assign(new KeepingPlace(), { isStill: true });
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  return { place, store, runtime, ...runtime };
};

test("[CPT-1] [CPT-11] [CPT-19] a diff is of the newest turn, of one turn, or between two moments", async () => {
  const { place, runtime, operations, close } = await stage();
  const id = await told(runtime, ["one", "two"], { cwd: "/work" });
  const list = await operations.listCheckpoints(id);
  assert.deepEqual(
    list.map(({ kind, turn, tree }) => [kind, turn, tree]),
    [
      ["baseline", 0, hash(1)],
      ["turn", 1, hash(2)],
      ["turn", 2, hash(3)],
    ],
  );
  const ends = async (from?: string, to?: string) => {
    await operations.showDiff(id, {
      text: false,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    });
    const order = place.diffs.at(-1);
    return [order?.from, order?.to];
  };
  assert.deepEqual(await ends(), [hash(2), hash(3)]);
  assert.deepEqual(await ends("1"), [hash(1), hash(2)]);
  const now = { cwd: "/work", env: { HOME: "/home/x" } };
  assert.deepEqual(await ends("now"), [hash(3), now]);
  assert.deepEqual(await ends("0", "now"), [hash(1), now]);
  assert.deepEqual(await ends(list[2]?.id, "0"), [hash(3), hash(1)]);
  await refused(ends("now", "1"), "invalid_request");
  await refused(ends("7"), "checkpoint_not_found");
  await refused(ends("chk_1"), "checkpoint_not_found");
  await close();
});

test("[CPT-7] [CPT-19] [CPT-50] a dry run touches nothing; a rewind goes back with the agent's own memory", async () => {
  const { place, runtime, operations, close } = await stage();
  const env = { CLAUDE_CONFIG_DIR: "/work/.claude" };
  const id = await told(runtime, ["one", "two"], { env });
  const plan = await operations.rewindSession(id, { turn: 1, dry_run: true });
  assert.deepEqual([plan.undo, plan.conversation], [undefined, "native"]);
  assert.deepEqual(plan.changes, [{ path: "a.txt", kind: "modified" }]);
  const done = await operations.rewindSession(id, { turn: 1, dry_run: false });
  assert.ok(plan.session.is_agent_running && !done.session.is_agent_running);
  assert.deepEqual(
    place.rewinds.map(({ tree, dry_run, own }) => [tree, dry_run, own]),
    [
      [hash(2), true, null],
      [hash(2), true, null],
      [hash(2), false, null],
    ],
  );
  for (const order of place.rewinds)
    assert.deepEqual(order.env, { HOME: "/home/x", ...env });
  const listed = (await operations.listCheckpoints(id)).slice(-2);
  const undo = { turn: 2, checkpoint: listed[0]?.id };
  assert.partialDeepStrictEqual(done.undo, { ...undo, conversation: "native" });
  assert.deepEqual(
    listed.map(({ kind }) => kind),
    ["rewind", "pause"],
    "what was there can be brought back, and so can what is there now",
  );
  await operations.queuePrompt(id, { text: "three" });
  await until(runtime, id, capturedAfter(3));
  assert.equal(place.orders.at(-1)?.rebuild?.memory?.renamed, true);
  // What the new turn changed is measured from what was brought back.
  await operations.showDiff(id, { text: false });
  assert.equal(place.diffs.at(-1)?.from, hash(4));
  await close();
});

test("[CPT-7] [P9] a rewind that fails says why, and the session stays what it was", async () => {
  const { place, runtime, operations, close } = await stage();
  const id = await told(runtime, ["one"]);
  await refused(
    operations.rewindSession(id, { turn: 9, dry_run: false }),
    "checkpoint_not_found",
  );
  place.conflicts = [{ path: "a.txt", kind: "modified" }];
  await refused(
    operations.rewindSession(id, { turn: 0, dry_run: false }),
    "rewind_conflict",
  );
  assert.equal((await operations.showSession(id)).is_agent_running, true);
  place.conflicts = [];
  place.rewindFails = new LinkError("internal", "The disk is on fire.");
  await assert.rejects(
    operations.rewindSession(id, { turn: 0, dry_run: false }),
    /The disk is on fire\. .* rewind to chk_\d+ to have what was there/,
  );
  place.rewindFails = new LinkError("workspace_changing", "Somebody writes.");
  await refused(
    operations.rewindSession(id, { turn: 0, dry_run: false }),
    "rewind_conflict",
  );
  // What it left may be neither the one nor the other.
  const checkpoints = await operations.listCheckpoints(id);
  assert.deepEqual(
    checkpoints.slice(-2).map(({ kind }) => kind),
    ["rewind", "pause"],
  );
  await operations.queuePrompt(id, { text: "two" });
  await until(runtime, id, capturedAfter(2));
  await close();
});

test("[CPT-7] [P8] what could not be captured is not rewound, unless nothing is there", async () => {
  const { place, runtime, operations, close } = await stage();
  const id = await told(runtime, ["one"]);
  const touched = () => place.rewinds.filter(({ dry_run }) => !dry_run).length;
  place.capturesFail = true;
  await refused(
    operations.rewindSession(id, { turn: 0, dry_run: false }),
    "checkpoint_failed",
  );
  assert.equal(touched(), 0);
  place.workspaceKind = "missing";
  await operations.rewindSession(id, { turn: 0, dry_run: false });
  assert.equal(touched(), 1);
  // It was done before, and the answer was lost.
  place.workspaceKind = "directory";
  place.changes = [];
  await operations.rewindSession(id, { turn: 0, dry_run: false });
  assert.equal(touched(), 2);
  await close();
});

test("[CPT-8] sessions in one directory learn of each other, and a rewind tells their turns apart", async () => {
  const { place, runtime, operations, close } = await stage();
  const first = await told(runtime, ["one"], { cwd: "/work" });
  const second = await told(runtime, ["a"], { cwd: "/work/inside" });
  const third = await told(runtime, ["b"], { cwd: "/work" });
  await operations.queuePrompt(first, { text: "two" });
  await until(runtime, first, capturedAfter(2));
  for (const id of [first, second, third]) {
    const events = await operations.listEvents(id, 0, 1000);
    const shares = events.filter(
      ({ type }) => type === "session.workspace.shared",
    );
    assert.equal(shares.length, 1);
  }
  await operations.rewindSession(first, { turn: 1, dry_run: true });
  const list = await operations.listCheckpoints(first);
  const tree = (kind: string, turn: number) =>
    list.find((each) => each.kind === kind && each.turn === turn)?.tree;
  assert.deepEqual(place.rewinds.at(-1)?.own, [
    { from: tree("start", 2), to: tree("turn", 2) },
  ]);
  assert.deepEqual(place.rewinds.at(-1)?.others, []);
  await close();
});

test("[CPT-8] what somebody did beneath at the same time cannot be told apart, and is not undone", async () => {
  const { place, runtime, operations, close } = await stage();
  const first = await told(runtime, ["one", "two"], { cwd: "/work" });
  const { id: second } = await operations.createSession(
    request({ cwd: "/work/inside" }),
  );
  const say = (id: SessionId) => operations.queuePrompt(id, { text: "more" });
  await operations.rewindSession(first, { turn: 1, dry_run: true });
  const { onPrompt } = place;
  const asked = Promise.withResolvers<() => void>();
  place.onPrompt = (...prompt) => asked.resolve(() => onPrompt(...prompt));
  await say(first);
  const answer = await asked.promise;
  place.onPrompt = onPrompt;
  await say(second);
  await until(runtime, second, capturedAfter(1));
  answer();
  await until(runtime, first, capturedAfter(3));
  await refused(
    operations.rewindSession(first, { turn: 1, dry_run: true }),
    "not_supported",
  );
  await close();
});

test("[CPT-10] [CPT-20] a fork begins with what was said up to a turn, in a directory of its own", async () => {
  const { place, store, runtime, operations, close } = await stage();
  const id = await told(runtime, ["one", "two", "three"], {
    env: { KEY: "secret" },
    name: "parent",
  });
  await operations.endSession(id, { outcome: "completed" });
  place.workspaceKind = "missing";
  const fork = await operations.forkSession(id, { turn: 2, name: "child" });
  assert.notEqual(fork.id, id);
  assert.equal(fork.name, "child");
  assert.ok(fork.cwd.endsWith(fork.id));
  assert.deepEqual(fork.parent, { session_id: id, turn: 2 });
  assert.deepEqual(await store.env(fork.id), { KEY: "secret" });
  assert.deepEqual(await promptsIn(operations, fork.id), ["one", "two"]);
  await operations.queuePrompt(fork.id, { text: "other" });
  await until(runtime, fork.id, capturedAfter(3));
  const { rebuild, cwd } = place.orders.at(-1) ?? {};
  assert.equal(cwd, fork.cwd);
  assert.equal(rebuild?.restore, true);
  assert.equal(rebuild?.memory?.renamed, true);
  assert.equal(rebuild?.moved, true);
  for (const turn of [3, 2])
    await operations.rewindSession(fork.id, { turn, dry_run: false });
  const moved = place.rewinds.map((order) => order.moved);
  assert.deepEqual(moved, [false, false, true, true]);
  assert.equal((await operations.showSession(id)).state, "COMPLETED");
  await close();
});

test("[CPT-7] [CPT-10] what a rewind left behind is not part of a fork", async () => {
  const { runtime, operations, close } = await stage();
  const id = await told(runtime, ["one", "two"]);
  await operations.rewindSession(id, { turn: 1, dry_run: false });
  const { parent } = await operations.forkSession(id, {});
  assert.equal(parent?.turn, 1, "nor is it what a fork begins with");
  await operations.queuePrompt(id, { text: "instead" });
  await until(runtime, id, capturedAfter(3));
  const spoken = async (turn: number) => {
    const { id: forked } = await operations.forkSession(id, { turn });
    return promptsIn(operations, forked);
  };
  assert.deepEqual(await spoken(3), ["one", "instead"]);
  const { id: fork } = await operations.forkSession(id, { turn: 3 });
  const again = await operations.forkSession(fork, {});
  assert.equal(again.turn_count, 2, "also of a fork");
  assert.deepEqual(await spoken(2), ["one", "two"]);
  await close();
});

test("[CPT-12] a handoff keeps what applies, and a rewind to before it is told as text", async () => {
  const { runtime, operations, close } = await stage();
  const id = await told(runtime, ["one"], {
    instructions: "be kind",
    allowed_tools: ["read"],
  });
  await refused(
    operations.handOffSession(id, { agent: "nobody" }),
    "unknown_agent",
  );
  const { agent, definition } = await operations.handOffSession(id, {
    agent: "other",
  });
  assert.equal(agent, "other");
  assert.deepEqual(definition, {
    agent: "other",
    home: "user",
    instructions: "be kind",
    allowed_tools: ["read"],
    env_names: [],
  });
  const plan = await operations.rewindSession(id, { turn: 1, dry_run: true });
  assert.equal(plan.conversation, "injected");
  await close();
});

test("[CPT-15] a session gets a worktree and a branch of its own, and so does its fork", async () => {
  const { place, runtime, operations, close } = await stage();
  await refused(
    operations.createSession(request({ worktree: "/nowhere" })),
    "not_a_repository",
  );
  const id = await told(runtime, ["one"], { worktree: "/repository" });
  const session = await operations.showSession(id);
  const [made] = place.worktrees;
  assert.equal(made?.repository, "/repository");
  assert.equal(session.cwd, made?.path);
  assert.equal(session.worktree_branch, `reprise/${id.slice(-8)}`);
  const fork = await operations.forkSession(id, {});
  assert.equal(fork.worktree_branch, `reprise/${fork.id.slice(-8)}`);
  assert.equal(fork.worktree_path, fork.cwd);
  await close();
});

test("[CPT-17] a session without checkpoints says so, and how to have them", async () => {
  const { operations, close } = await stage();
  const { id } = await operations.createSession(
    request({ checkpoints: false }),
  );
  const wishes = [
    () => operations.showDiff(id, { text: false }),
    () => operations.showDiff(id, { text: false, to: "now" }),
    () => operations.forkSession(id, { turn: 1 }),
    () => operations.rewindSession(id, { turn: 0, dry_run: true }),
  ];
  for (const wish of wishes)
    await assert.rejects(
      wish(),
      /takes no checkpoints.*said when it was started/,
    );
  await close();
});

test("[CPT-1] [API-94] a pause is over when what it left is captured", async () => {
  const { runtime, operations, close } = await stage();
  const id = await told(runtime, ["one"]);
  const { state, checkpoint } = await operations.pauseSession(id);
  assert.deepEqual([state, checkpoint?.kind], ["PAUSED", "pause"]);
  await close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
