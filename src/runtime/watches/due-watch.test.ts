import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { prompt, Story } from "../../session/testing.ts";
import { derivedBy } from "../../session/view/derive.ts";
import { memoryStore } from "../../store/memory.ts";
import type { Store } from "../ports/store.ts";
import { sessionEngine } from "../fixtures/session-engine.ts";
import { placeKey } from "../../contract/base/place.ts";
import { DueWatch } from "./due-watch.ts";

const EARLY = "2026-01-01T05:00:00.000Z";
const LATE = "2026-01-01T06:00:00.000Z";
const MINUTE = 60_000;

test("[REC-56] [REC-58] a session whose place does not answer keeps no other from going on at its time", async (t) => {
  const store = memoryStore();
  const stuck = await waiting(store, EARLY);
  const other = await waiting(store, LATE, 2);
  const stage = await start(t, store, (session) =>
    session === stuck ? new Promise(() => undefined) : Promise.resolve(),
  );
  stage.now = new Date(EARLY);
  await stage.lookUntil(() => stage.touched.includes(stuck));
  stage.now = new Date(LATE);
  await stage.lookUntil(() => stage.touched.includes(other));
  await stage.lookUntil(() => stage.continued.includes(other));
  assert.deepEqual(stage.touched, [stuck, other], "each is woken once");
});

test("[REC-56] a damaged session is tried again after a while, and goes on when it was mended", async (t) => {
  const store = memoryStore();
  const session = await waiting(store, EARLY);
  let isDamaged = true;
  let loads = 0;
  const load: Store["load"] = async (...asked) => {
    loads += 1;
    if (isDamaged) throw new RepriseError("session_damaged", "It is damaged.");
    return store.load(...asked);
  };
  const stage = await start(t, { ...store, load }, async () => undefined);
  stage.now = new Date(EARLY);
  await stage.lookUntil(() => loads === 1);
  isDamaged = false;
  for (let n = 0; n < 20; n += 1) await stage.look();
  assert.equal(loads, 1, "it is not read with every look");
  stage.passed += 10 * MINUTE;
  await stage.lookUntil(() => stage.continued.includes(session));
});

test("[REC-88] a session of a lost place is not tried, however long it is due, and nothing of it is kept", async (t) => {
  const store = memoryStore();
  const lost = await waiting(store, EARLY);
  const other = await waiting(store, LATE, 2);
  const stage = await start(t, store, async () => undefined);
  stage.lost.add(lost);
  stage.now = new Date(LATE);
  await stage.lookUntil(() => stage.continued.includes(other));
  stage.passed += 10 * MINUTE;
  for (let n = 0; n < 20; n += 1) await stage.look();
  assert.deepEqual(stage.touched, [other]);
  assert.ok(![...stage.watch.kept()].includes(lost));
});

/** A session that goes on by itself at a time. */
const waiting = async (
  store: Store,
  resets_at: string,
  n = 1,
): Promise<SessionId> => {
  const session_id = SessionId.parse(newId("ses"));
  const story = new Story({ session_id, on_interrupt: "continue" });
  story.begin(ids.execution()).ready().queue(n).deliver(n);
  story.report({
    kind: "turn_ended",
    prompt_id: prompt(n),
    stop_reason: "error",
    usage: null,
    error: "429 quota exceeded",
    limit: { resets_at },
    range: story.words(5),
  });
  const { events, state } = story;
  await store.append({
    place: { key: placeKey(state.workspace.place), term: await store.claim() },
    session_id,
    after: 0,
    events,
    ...derivedBy(events, null, state, state.times.last_active_at),
    snapshot: null,
    receipt: null,
    env: null,
  });
  return session_id;
};

const start = async (
  t: TestContext,
  store: Store,
  touch: (session: SessionId) => Promise<void>,
) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => stage.passed);
  const stage = {
    now: new Date("2026-01-01T04:00:00.000Z"),
    passed: 0,
    touched: [] as SessionId[],
    lost: new Set<SessionId>(),
    continued: [] as SessionId[],
    async look() {
      t.mock.timers.tick(1000);
      await turnOfTheLoop();
    },
    async lookUntil(happened: () => boolean) {
      for (let n = 0; n < 100 && !happened(); n += 1) await stage.look();
      assert.ok(happened(), "it does not happen");
    },
  };
  const clock = { now: () => stage.now };
  const term = await store.claim();
  const { engine, commits } = sessionEngine(store, term, clock);
  commits.onAny(({ after }) => void stage.continued.push(after.id));
  const watch = new DueWatch({
    store,
    engine,
    commits,
    clock,
    ids,
    log: { info() {}, warn() {}, error() {} },
    held: { isOfLostPlace: async (session) => stage.lost.has(session) },
    recovery: {
      settled: Promise.resolve("all"),
      touch: (session) => {
        stage.touched.push(session);
        return touch(session);
      },
    },
  });
  return Object.assign(stage, { watch });
};

const newId = (prefix: string): string => `${prefix}_${ulid(Date.now())}`;

const ids = {
  session: () => SessionId.parse(newId("ses")),
  task: () => TaskId.parse(newId("tsk")),
  attempt: () => AttemptId.parse(newId("att")),
  prompt: () => PromptId.parse(newId("prm")),
  execution: () => ExecutionId.parse(newId("exe")),
  command: () => CommandId.parse(newId("cmd")),
};
