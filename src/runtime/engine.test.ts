import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportItem } from "../contract/report.ts";
import {
  creation,
  execution,
  prompt,
  readyItem,
  SESSION,
} from "../session/testing.ts";
import { STATE_VERSION } from "../session/state.ts";
import { memoryStore } from "../store/memory.ts";
import { Bulletin } from "./bulletin.ts";
import { Engine } from "./engine.ts";
import { Lanes } from "./lanes.ts";
import type { Store } from "./ports.ts";
import { Shelf } from "./shelf.ts";

test("[SES-1] a long turn leaves a snapshot now and then, and the state behind it is the one that was", async () => {
  const store = memoryStore();
  const term = await store.claim();
  const engine = engineOn(store, term);
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
  for (let said = 1; said <= 4500; said += 100)
    await report(Array.from({ length: 100 }, (_, i) => word(said + i)));

  const stored = await store.load(SESSION, STATE_VERSION);
  assert.ok(stored !== null && stored.events.length < 2000);
  assert.ok((stored.snapshot?.seq ?? 0) >= 4000);
  const recovered = await engineOn(store, term).state(SESSION);
  assert.equal(recovered.lifecycle.name, "RUNNING");
  assert.deepEqual(recovered, await engine.state(SESSION));
});

const engineOn = (store: Store, term: number): Engine =>
  new Engine({
    store,
    term,
    clock: { now: () => new Date(0) },
    lanes: new Lanes(),
    shelf: new Shelf(),
    bulletin: new Bulletin(),
    onSuperseded: () => undefined,
  });

const word = (at: number): ReportItem => ({
  kind: "text",
  role: "agent",
  text: "word ",
  range: { from: at, to: at + 1 },
});
