import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportItem } from "../../contract/link/report.ts";
import {
  creation,
  execution,
  prompt,
  readyItem,
  SESSION,
} from "../../session/testing.ts";
import { STATE_VERSION } from "../../session/state/state.ts";
import { memoryStore } from "../../store/memory.ts";
import { sessionEngine } from "../fixtures/session-engine.ts";
import type { Store } from "../ports/store.ts";

test("[SES-1] a long turn leaves a snapshot now and then, and the state behind it is the one that was", async () => {
  const store = memoryStore();
  const { engine, report, term } = await speaking(store);
  for (let said = 1; said <= 4500; said += 100)
    await report(Array.from({ length: 100 }, (_, i) => word(said + i)));

  const stored = await store.load(SESSION, STATE_VERSION);
  assert.ok((stored?.snapshot?.seq ?? 0) >= 4000);
  const recovered = await sessionEngine(store, term).engine.state(SESSION);
  assert.equal(recovered.lifecycle.name, "RUNNING");
  assert.deepEqual(recovered, await engine.state(SESSION));
});

test("[REC-22] a turn that says much in few events leaves a snapshot too", async () => {
  const store = memoryStore();
  const { report } = await speaking(store);
  const MEBIBYTE = 1024 * 1024;
  let from = 1;
  for (let said = 0; said < 20; said += 1) {
    const to = from + MEBIBYTE;
    await report([{ ...word(0), range: { from, to } }]);
    from = to;
  }
  const stored = await store.load(SESSION, STATE_VERSION);
  const behind = (stored?.last_seq ?? 0) - (stored?.snapshot?.seq ?? 0);
  assert.ok(behind <= 8, `${behind} mebibytes behind the snapshot`);
});

test("[REC-22] a session without a snapshot is folded page by page: nobody holds its whole journal", async () => {
  const store = memoryStore();
  const { engine, report, term } = await speaking(store);
  for (let said = 1; said <= 3000; said += 100)
    await report(Array.from({ length: 100 }, (_, i) => word(said + i)));
  const pages: number[] = [];
  const { engine: next } = sessionEngine(
    {
      ...store,
      load: async (session) => {
        const stored = await store.load(session, STATE_VERSION);
        return stored && { ...stored, snapshot: null };
      },
      events: async (session, after, limit) => {
        const events = await store.events(session, after, limit);
        pages.push(events.length);
        return events;
      },
    },
    term,
  );
  assert.deepEqual(await next.state(SESSION), await engine.state(SESSION));
  assert.ok(pages.length >= 3);
  assert.ok(Math.max(...pages) <= 1000);
});

test("[REC-41] [P2] what was written though its answer was lost is told when the journal is read again", async () => {
  const store = memoryStore();
  let isLost = false;
  const { engine, commits, report } = await speaking({
    ...store,
    append: async (change) => {
      await store.append(change);
      if (isLost) throw new Error("the thread has ended");
    },
  });
  const told: number[] = [];
  commits.on(SESSION, ({ events }) =>
    told.push(...events.map(({ seq }) => seq)),
  );
  const { seq } = await engine.state(SESSION);
  isLost = true;
  await assert.rejects(report([word(1)]), /has ended/);
  assert.deepEqual(told, []);
  isLost = false;
  await report([word(1)]);
  assert.deepEqual(told, [seq + 1], "told once, though it was reported twice");
});

test("[REC-41] [P2] it is told also when the journal could not be read the first time", async () => {
  const store = memoryStore();
  let isLost = false;
  let reads = 0;
  const { engine, commits, report } = await speaking({
    ...store,
    append: async (change) => {
      await store.append(change);
      if (isLost) throw new Error("the thread has ended");
    },
    // The first read folds the state, the second one reads what was not told.
    events: async (...asked) => {
      if (isLost && (reads += 1) === 2) throw new Error("the disk is away");
      return store.events(...asked);
    },
  });
  const told: number[] = [];
  commits.on(SESSION, ({ events }) =>
    told.push(...events.map(({ seq }) => seq)),
  );
  const { seq } = await engine.state(SESSION);
  isLost = true;
  await assert.rejects(report([word(1)]), /has ended/);
  await assert.rejects(engine.state(SESSION), /disk is away/);
  assert.deepEqual(told, []);
  isLost = false;
  await engine.state(SESSION);
  assert.deepEqual(told, [seq + 1]);
});

/** An engine, and a session whose agent has begun to work. */
const speaking = async (store: Store) => {
  const term = await store.claim();
  const { engine, commits } = sessionEngine(store, term);
  await engine.create(creation());
  await engine.issue(SESSION, {
    type: "prompt.queue",
    prompt_id: prompt(1),
    content: [{ type: "text", text: "Tell me everything." }],
  });
  await engine.issue(SESSION, {
    type: "execution.begin",
    execution_id: execution(1),
    term,
    report: {
      agent: "gone",
      workspace: "directory",
      installed: true,
      transcript: "present",
      survivors: [],
    },
    agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
  });
  const report = (items: ReportItem[]) =>
    engine.issue(SESSION, { type: "execution.report", epoch: 1, items });
  await report([
    readyItem({ from: 0, to: 1 }),
    { kind: "prompt_delivered", range: null, prompt_id: prompt(1) },
  ]);
  return { engine, commits, report, term };
};

const word = (at: number): Extract<ReportItem, { kind: "text" }> => ({
  kind: "text",
  role: "agent",
  text: "word ",
  range: { from: at, to: at + 1 },
});
