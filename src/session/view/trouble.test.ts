import assert from "node:assert/strict";
import { test } from "node:test";
import type { State } from "../state/state.ts";
import { Story } from "../testing.ts";
import { troublesOf } from "./trouble.ts";
import type { WorldReport } from "../state/world-report.ts";

const patience = { startMs: 60_000, silentMs: 600_000 };
const SOON = "2026-01-01T00:00:30.000Z";
const MUCH_LATER = "2026-01-01T02:00:00.000Z";
const fine: WorldReport = {
  agent: "alive",
  workspace: "directory",
  installed: true,
  transcript: "present",
  survivors: [],
};
const codes = (
  state: State,
  report: Partial<WorldReport> | null,
  at: string,
): string[] =>
  troublesOf(
    state,
    report === null ? null : { ...fine, ...report },
    patience,
    at,
  ).map(({ code }) => code);

test("[REC-13] what fits is no trouble", () => {
  assert.deepEqual(codes(new Story().up().state, {}, MUCH_LATER), []);
  const running = new Story().up().queue(1).deliver(1).state;
  assert.deepEqual(codes(running, {}, SOON), []);
});

test("[REC-13] an agent that is gone, or that nobody can tell about", () => {
  const running = new Story().up().queue(1).deliver(1).state;
  assert.deepEqual(codes(running, { agent: "gone" }, SOON), ["agent_gone"]);
  assert.deepEqual(codes(running, null, SOON), ["agentctl_unavailable"]);
});

test("[REC-9] [REC-13] silence is told, and not held against an agent that waits for an answer", () => {
  const story = new Story().up().queue(1).deliver(1);
  assert.deepEqual(codes(story.state, {}, MUCH_LATER), ["agent_silent"]);
});

test("[REC-13] starting for too long, and processes that an ended execution left behind", () => {
  const starting = new Story().begin().state;
  assert.deepEqual(codes(starting, {}, MUCH_LATER), ["starting_too_long"]);
  const ended = new Story().up().die().state;
  const report = { agent: "gone", survivors: [7, 8] } as const;
  assert.deepEqual(codes(ended, report, SOON), ["workspace_busy"]);
  const [trouble] = troublesOf(ended, { ...fine, ...report }, patience, SOON);
  assert.match(trouble?.text ?? "", /7, 8.*Recover the session\./);
});
