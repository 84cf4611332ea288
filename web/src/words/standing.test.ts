import assert from "node:assert/strict";
import { test } from "node:test";
import {
  StateName,
  type StatusName,
} from "../../../src/contract/session/state.ts";
import { NO_QUOTA } from "../../../src/contract/session/quota.ts";
import {
  aPrompt,
  aSession,
  aStatus,
  at,
  NOW,
  sessionId,
  someFacts,
} from "../fixtures/samples.ts";
import { cut, table, without } from "./fixtures/standing-table.ts";
import { standing, type StandingFacts, type StandingKind } from "./standing.ts";

/** What is said, in one line: title, quote, text, buttons (the primary one in brackets), box. */
const said = (facts: Partial<StandingFacts>): string => {
  const { title, quote, text, buttons, box } = standing(someFacts(facts));
  const words = [
    title === null ? null : `**${title}**`,
    quote === null ? null : `“${quote}”`,
    text,
  ].filter((part) => part !== null);
  const labels = buttons.map(({ label, primary }) =>
    primary ? `[${label}]` : label,
  );
  return [
    words.join(" "),
    labels.join(" · "),
    `${box.text} (${box.send ?? "–"})`,
  ].join(" | ");
};

for (const [name, kind, facts, words] of table)
  test(`[PAG-30] where a session stands: ${name}`, () => {
    assert.equal(said(facts), words);
    assert.equal(standing(someFacts(facts)).kind, kind);
  });

for (const [hours, words] of [
  [1, "Another agent takes its place at 13:47."],
  [13, "Another agent takes its place tomorrow at 01:47."],
  [37, "Another agent takes its place on 20 November at 01:47."],
] as const)
  test(`[PAG-30] [PAG-36] an error that another agent takes over from in ${hours} h`, () => {
    const next_agent = { at: at(hours * 3_600_000) };
    const session = aSession({
      state: "ERROR",
      quota: { ...NO_QUOTA, next_agent },
    });
    const { text } = standing(someFacts({ session }));
    assert.equal(text, `${words} The workspace is open.`);
  });

test("[PAG-264] a fork says how its agent came back only when that is known", () => {
  const fork = aSession({
    state: "STARTING",
    parent: { session_id: sessionId(2), turn: 7 },
    metadata: { resume_token: null, last_message_id: null },
  });
  assert.equal(
    said({ session: fork }),
    "**Bringing the agent back.** Files and terminals open in a moment. |  | Write to Claude Code (Queue)",
  );
});

test("[PAG-32] the three sentences about agents that cannot resume are shown together, as they were asked for", () => {
  const row = standing(someFacts({ status: without("not_resumable") }));
  assert.equal(
    row.title,
    "This agent doesn\u2019t support resuming. Start a new session.",
  );
  assert.equal(
    row.text,
    "This agent cannot resume previous sessions. Create a new session.",
  );
  assert.equal(row.box.text, "Create new session to continue messaging.");
  assert.equal(row.box.send, null);
  assert.equal(row.hasPanels, true);
});

test("[PAG-33] files and terminals are closed while the agent is being started, and open with an error", () => {
  const ofState = (state: "STARTING" | "ERROR") =>
    standing(someFacts({ session: aSession({ state }) })).hasPanels;
  assert.equal(ofState("STARTING"), false);
  assert.equal(ofState("ERROR"), true);
});

const statusOf: Record<StateName, StatusName> = {
  CREATED: "creating",
  STARTING: "active",
  RUNNING: "active",
  WAITING_FOR_INPUT: "active",
  PAUSED: "paused",
  ERROR: "error",
  COMPLETED: "ended",
  CANCELLED: "ended",
  FAILED: "ended",
};

test("[PAG-31] exactly one row holds, whatever comes together", () => {
  const reasons = [
    null,
    "not_resumable",
    "workspace_missing",
    "agent_not_running",
    "ended",
  ] as const;
  const troubles = [null, "agent_silent", "agentctl_unavailable"] as const;
  const kinds = new Set<StandingKind>();
  let count = 0;
  for (const state of StateName.options)
    for (const resume_reason of reasons)
      for (const code of troubles)
        for (const flags of Array.from({ length: 512 }, (_, i) => i)) {
          const has = (bit: number): boolean => (flags & (1 << bit)) !== 0;
          const row = standing(
            someFacts({
              session: aSession({
                state,
                status: statusOf[state],
                deleted_at: has(0) ? at(0) : null,
                unresolved_prompts: has(1)
                  ? [cut(has(2) ? "uncertain" : "interrupted")]
                  : [],
                queued_prompts: has(3) ? [aPrompt()] : [],
                quota: has(4)
                  ? { ...NO_QUOTA, goes_on_at: at(60_000) }
                  : NO_QUOTA,
              }),
              status: aStatus({
                is_agent_running: has(5),
                is_resumable: has(6),
                needs_resume: has(7),
                resume_reason,
                troubles: code === null ? [] : [{ code, text: "Text." }],
              }),
              connection: has(8)
                ? { kind: "away", since: NOW, nextTryAt: null }
                : { kind: "connected" },
            }),
          );
          count += 1;
          kinds.add(row.kind);
          // What is not ready says so in words.
          assert.equal(
            row.title === null && row.text === null,
            row.kind === "ready",
          );
          assert.ok(row.buttons.filter(({ primary }) => primary).length <= 1);
          assert.notEqual(row.box.text, "");
        }
  assert.ok(count > 50_000);
  assert.deepEqual(
    [...kinds].sort(),
    [
      "away",
      "blocked",
      "ended",
      "error",
      "interrupted",
      "needs_resume",
      "not_resumable",
      "paused",
      "quota",
      "ready",
      "starting",
      "trash",
      "trouble",
      "uncertain",
    ].sort(),
  );
});

test("[PAG-31] none of the decisions about an uncertain prompt is suggested", () => {
  const { buttons } = standing(
    someFacts({
      session: aSession({ unresolved_prompts: [cut("uncertain")] }),
    }),
  );
  assert.deepEqual(
    buttons.map(({ label, primary }) => [label, primary]),
    [
      ["Continue", false],
      ["Resend", false],
      ["Drop", false],
    ],
  );
});
