import assert from "node:assert/strict";
import { test } from "node:test";
import { breakWords } from "./break-words.ts";
import { firstLine } from "./first-line.ts";
import { turnMark } from "./fixtures/messages.ts";
import { captureWords, outcomeWords, rewindRefusal } from "./foot-words.ts";
import { planStanding } from "./plan-standing.ts";

test("[PAG-84] the foot of a turn says how it ended, how long it took and what was captured", () => {
  const times = {
    startedAt: "2026-11-18T09:00:00.000Z",
    endedAt: "2026-11-18T09:04:10.000Z",
  };
  assert.equal(outcomeWords("completed", times), "Completed in 4 min 10 s");
  assert.equal(outcomeWords("interrupted", times), "Cut off after 4 min 10 s");
  assert.equal(
    outcomeWords("completed", { ...times, startedAt: null }),
    "Completed",
  );
  assert.equal(captureWords("saved")?.text, "captured");
  assert.equal(captureWords("partial")?.tone, "amber");
  assert.equal(captureWords("failed")?.text, "not captured");
});

test("[PAG-84] what cannot be gone back to says why", () => {
  const newest = { newest: 7 };
  assert.equal(rewindRefusal(turnMark({ turn: 3 }), newest), null);
  assert.equal(
    rewindRefusal(turnMark({ turn: 7, behind: true }), newest),
    null,
  );
  for (const change of [
    { capture: "failed" as const },
    { capture: null },
    { turn: 7 },
  ])
    assert.notEqual(rewindRefusal(turnMark(change), newest), null);
});

test("[PAG-85] between turns stands what happened, with the grade of the resume", () => {
  const resume = {
    path: "fast",
    strategy: "injected",
    grade: "injected",
    verified: true,
    workspace: "unchanged",
    lost: "its own memory of 12 turns",
    took_ms: 700,
  } as const;
  const at = "2026-11-18T12:47:00.000Z";
  const broken = breakWords({
    kind: "break",
    at,
    ending: { kind: "exited", code: 1 },
    turn: 6,
    resume,
    resumed_at: at,
  });
  assert.equal(broken?.look, "broken");
  assert.equal(broken?.title, "The agent exited with code 1 in turn 6");
  assert.equal(broken?.grade?.grade, "injected");
  assert.match(broken?.grade?.text ?? "", /Its own memory|its own memory/);
  assert.equal(
    breakWords({ kind: "rewound", at, to: 3, files: 14 })?.title,
    "Rewound to turn 3 (14 files)",
  );
  assert.equal(breakWords({ kind: "start", at, files: 3 }), null);
});

test("[PAG-84] thoughts and plans are told in one line", () => {
  assert.equal(
    firstLine("\n**Look** at `it`\nmore", { isLive: false }),
    "Look at it",
  );
  assert.equal(firstLine("one\ntwo\n", { isLive: true }), "two");
  assert.equal(firstLine("", { isLive: true }), "…");
  const entry = (text: string, status: string) => ({
    text,
    status,
    priority: "high",
  });
  assert.deepEqual(
    planStanding([
      entry("a", "completed"),
      entry("b", "in_progress"),
      entry("c", "pending"),
    ]),
    { done: 1, total: 3, current: "b" },
  );
});
