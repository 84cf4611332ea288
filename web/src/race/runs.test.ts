import assert from "node:assert/strict";
import { test } from "node:test";
import type { Race } from "../../../src/contract/api/race-route.ts";
import { aSession, sessionId } from "../fixtures/samples.ts";
import { isCutOff, keepRefusal, withoutGone } from "./runs.ts";

const race: Race = {
  name: "faster",
  shape: {
    prompt: "",
    agents: ["demo", "demo"],
    repository: "/work",
    session: null,
    permissions: null,
  },
  runs: [1, 2].map((number) => ({
    number,
    agent: "demo",
    session_id: sessionId(number),
  })),
  kept: null,
  carried_out: false,
};

const over = (number: number) =>
  aSession({
    id: sessionId(number),
    state: "WAITING_FOR_INPUT",
    queued_prompts: [],
    pending_permissions: [],
  });

test("[PAG-188] a run can be kept when all runs are over, and only one is", () => {
  const sessions = new Map(
    [1, 2].map((n) => [sessionId(n) as string, over(n)]),
  );
  const refusal = (of: Race, number: number) =>
    keepRefusal(of, number, (id) => sessions.get(id));
  assert.equal(refusal(race, 1), null);
  sessions.set(sessionId(2), { ...over(2), state: "RUNNING" });
  assert.equal(refusal(race, 1), "Run 2 is not over.");
  assert.equal(refusal({ ...race, kept: 2 }, 1), "Run 2 was kept.");
  const deleted_at = "2026-11-18T12:00:00.000Z";
  sessions.set(sessionId(1), { ...over(1), deleted_at });
  assert.equal(refusal(race, 1), "It is in the trash.");
  sessions.delete(sessionId(2));
  assert.equal(refusal(race, 1), "Not all runs are known yet.");
});

test("[RAC-30] keeping a run that was cut off can be finished, and another run not kept", () => {
  const sessions = new Map(
    [1, 2].map((n) => [sessionId(n) as string, over(n)]),
  );
  const refusal = (of: Race, number: number) =>
    keepRefusal(of, number, (id) => sessions.get(id));
  const cutOff = { ...race, kept: 2 };
  assert.equal(isCutOff(cutOff, 2), true);
  assert.equal(isCutOff(cutOff, 1), false);
  assert.equal(isCutOff({ ...cutOff, carried_out: true }, 2), false);
  assert.equal(refusal(cutOff, 2), null);
  assert.equal(refusal(cutOff, 1), "Run 2 was kept.");
  const deleted_at = "2026-11-18T12:00:00.000Z";
  sessions.set(sessionId(2), { ...over(2), deleted_at });
  assert.equal(refusal(cutOff, 2), "It is in the trash. Take it out first.");
});

test("[RAC-22] a run that was removed for good counts as one that was not started", () => {
  const without = withoutGone(race, new Set([sessionId(2)]));
  assert.equal(
    keepRefusal(without, 2, () => over(1)),
    "It was not started.",
  );
  assert.equal(
    keepRefusal(without, 1, () => over(1)),
    null,
  );
  assert.equal(withoutGone(race, new Set()), race);
});
