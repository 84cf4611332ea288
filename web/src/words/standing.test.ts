import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResumeReason } from "../../../src/contract/agent/resume.ts";
import {
  StateName,
  type StatusName,
} from "../../../src/contract/session/state.ts";
import { checkpointId } from "../../../src/contract/session/checkpoint.ts";
import { NO_QUOTA } from "../../../src/contract/session/quota.ts";
import {
  aPrompt,
  aSession,
  aStatus,
  at,
  NOW,
  promptId,
  sessionId,
  someFacts,
} from "../fixtures/samples.ts";
import { standing, type StandingFacts, type StandingKind } from "./standing.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

const cut = (state: "interrupted" | "uncertain", more: object = {}) => ({
  id: promptId(),
  session_id: sessionId(),
  turn: 6,
  state,
  ...more,
});
const resumable = (more: object = {}) =>
  aStatus({
    is_agent_running: false,
    needs_resume: true,
    resume_reason: "agent_not_running",
    ...more,
  });
const without = (
  resume_reason: ResumeReason,
  more: Partial<ReturnType<typeof aStatus>> = {},
) =>
  aStatus({
    is_agent_running: false,
    is_resumable: false,
    requires_new_session: true,
    resume_reason,
    ...more,
  });

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

const BOX = "Write to Claude Code (Send)";
const QUEUE = "Write to Claude Code (Queue)";
const DECIDE = "Continue · Resend · Drop";

const table: [
  name: string,
  kind: StandingKind,
  facts: Partial<StandingFacts>,
  said: string,
][] = [
  [
    "starting",
    "starting",
    { session: aSession({ state: "STARTING" }), startingSince: NOW - 9_999 },
    `**Bringing the agent back.** Claude Code restores its own session. Files and terminals open in a moment. |  | ${QUEUE}`,
  ],
  [
    "starting for long",
    "starting",
    { session: aSession({ state: "STARTING" }), startingSince: NOW - 12_400 },
    `**Bringing the agent back.** Claude Code restores its own session. Files and terminals open in a moment. Still starting, 12 s. |  | ${QUEUE}`,
  ],
  [
    "starting, to be told",
    "starting",
    {
      session: aSession({
        state: "STARTING",
        metadata: { resume_token: null, last_message_id: null },
      }),
    },
    `**Bringing the agent back.** Claude Code is given the history as text. Files and terminals open in a moment. |  | ${QUEUE}`,
  ],
  [
    "the first start",
    "starting",
    { session: aSession({ state: "STARTING", turn_count: 0 }) },
    `**Starting the agent.** Files and terminals open in a moment. |  | ${QUEUE}`,
  ],
  ["ready", "ready", {}, ` |  | ${BOX}`],
  ["ready before the status", "ready", { status: null }, ` |  | ${BOX}`],
  [
    "working",
    "ready",
    {
      session: aSession({ state: "RUNNING" }),
      line: [
        {
          kind: "turn",
          turn: 7,
          prompt: "Go on",
          outcome: "running",
          memory: "own",
          behind: false,
          changes: null,
          capture: null,
          forks: [],
        },
      ],
    },
    " |  | Write to Claude Code. It waits its turn behind turn 7. (Queue)",
  ],
  [
    "needs resume, native",
    "needs_resume",
    { status: resumable() },
    `**The agent is not running.** It can restore its own session and will remember all 7 turns. | [Resume session] | ${BOX}`,
  ],
  [
    "needs resume after a rewind",
    "needs_resume",
    { status: resumable(), session: aSession({ turns_left_behind: 2 }) },
    `**The agent is not running.** It can restore its own session and will remember all 5 turns. | [Resume session] | ${BOX}`,
  ],
  [
    "needs resume, by text",
    "needs_resume",
    { status: resumable({ resume_reason: "agent_not_running_fresh_start" }) },
    `**The agent is not running.** It will be given the history as text. | [Resume session] | ${BOX}`,
  ],
  [
    "paused by itself",
    "paused",
    { session: aSession({ state: "PAUSED" }), quietMinutes: 30 },
    `**Paused after 30 quiet minutes.** Nothing runs, everything is kept. A prompt brings the agent back. | Resume session | ${BOX}`,
  ],
  [
    "paused by somebody",
    "paused",
    { session: aSession({ state: "PAUSED" }) },
    `**Paused.** Nothing runs, everything is kept. A prompt brings the agent back. | Resume session | ${BOX}`,
  ],
  [
    "error",
    "error",
    {
      session: aSession({
        state: "ERROR",
        error_message: "claude-agent-acp exited with code 1: not logged in",
        queued_prompts: [aPrompt(), aPrompt({ id: promptId(2) })],
      }),
    },
    `**The agent could not be brought back.** claude-agent-acp exited with code 1: not logged in. 2 prompts wait; the workspace is open. | [Try again] · Open workspace | ${BOX}`,
  ],
  [
    "error, nothing waits",
    "error",
    { session: aSession({ state: "ERROR", error_message: "It is gone." }) },
    `**The agent could not be brought back.** It is gone. The workspace is open. | [Try again] · Open workspace | ${BOX}`,
  ],
  [
    "interrupted",
    "interrupted",
    {
      session: aSession({ unresolved_prompts: [cut("interrupted")] }),
      line: [
        {
          kind: "break",
          ending: { kind: "killed", signal: "SIGKILL" },
          turn: 6,
          resume: null,
        },
      ],
    },
    `**Turn 6 was cut off: the agent was killed by SIGKILL.** What it did is kept. Nothing is sent again by itself. | [Continue] · Resend · Drop | ${BOX}`,
  ],
  [
    "interrupted by a pause",
    "interrupted",
    {
      session: aSession({
        state: "PAUSED",
        unresolved_prompts: [cut("interrupted", { code: "paused" })],
      }),
    },
    `**Turn 6 was cut off: the session was paused.** What it did is kept. Nothing is sent again by itself. | [Continue] · Resend · Drop | ${BOX}`,
  ],
  [
    "uncertain",
    "uncertain",
    {
      session: aSession({
        unresolved_prompts: [
          cut("uncertain", {
            text: "Bump the base image and run the matrix",
            reason: "Power was lost while it was handed over",
          }),
        ],
      }),
    },
    `**Nobody knows whether the agent took this prompt.** “Bump the base image and run the matrix” Power was lost while it was handed over. | ${DECIDE} | ${BOX}`,
  ],
  [
    "quota, goes on",
    "quota",
    {
      session: aSession({
        unresolved_prompts: [
          cut("interrupted", { goes_on: { at: at(133 * MINUTE) } }),
        ],
        quota: { ...NO_QUOTA, goes_on_at: at(133 * MINUTE) },
      }),
    },
    `**Quota used up until 15:00.** Turn 6 goes on by itself then. | Go on now · Drop it | ${BOX}`,
  ],
  [
    "quota, waits",
    "quota",
    {
      session: aSession({
        unresolved_prompts: [cut("interrupted")],
        quota: {
          ...NO_QUOTA,
          used_up: [{ agent: "demo", until: at(133 * MINUTE), is_told: true }],
        },
      }),
    },
    `**Quota used up until 15:00.** Turn 6 waits for your word. | Go on now · Drop it | ${BOX}`,
  ],
  [
    "quota, prompts wait",
    "quota",
    {
      session: aSession({
        queued_prompts: [aPrompt()],
        quota: { ...NO_QUOTA, prompts_wait_until: at(133 * MINUTE) },
      }),
    },
    `**Quota used up until 15:00.** 1 prompt begins by itself then. | Go on now | ${BOX}`,
  ],
  [
    "not resumable",
    "not_resumable",
    { status: without("not_resumable"), session: aSession({ state: "ERROR" }) },
    "**This agent doesn’t support resuming. Start a new session.** This agent cannot resume previous sessions. Create a new session. | [Create new session] · Start it without memory | Create new session to continue messaging. (–)",
  ],
  [
    "server away",
    "away",
    { connection: { kind: "away", since: NOW, nextTryAt: NOW + 2_300 } },
    `**The server is away.** Agents go on working. What you see is from 12:47:03; it catches up by itself. Next try in 3 s. | Try now | ${BOX}`,
  ],
  [
    "agent silent",
    "trouble",
    {
      session: aSession({ state: "RUNNING" }),
      status: aStatus({
        troubles: [{ code: "agent_silent", text: "The agent says nothing." }],
      }),
    },
    `The agent says nothing. | Cancel turn | ${BOX}`,
  ],
  [
    "agent gone",
    "trouble",
    {
      status: aStatus({
        troubles: [{ code: "agent_gone", text: "Its agent is gone." }],
      }),
    },
    `Its agent is gone. | [Recover] | ${BOX}`,
  ],
  [
    "agentctl does not answer",
    "trouble",
    {
      status: aStatus({
        troubles: [{ code: "agentctl_unavailable", text: "No answer." }],
      }),
    },
    `No answer. |  | ${BOX}`,
  ],
  [
    "disk full",
    "disk_full",
    { refusal: "storage_full" },
    `**The disk is full.** Your prompt was not taken; it is still in the box. | What takes the space | ${BOX}`,
  ],
  [
    "ended",
    "ended",
    {
      session: aSession({
        state: "COMPLETED",
        status: "ended",
        last_active_at: new Date(2026, 10, 17, 17, 20).toISOString(),
        checkpoint: {
          id: checkpointId(12),
          turn: 7,
          kind: "turn",
          outcome: "saved",
          at: at(0),
        },
      }),
    },
    "**Completed yesterday at 17:20.** It can be read, and gone on from as a fork. | Fork from turn 7 | The session has ended. (–)",
  ],
  [
    "trash",
    "trash",
    { session: aSession({ deleted_at: at(-3 * DAY) }) },
    "**In the trash until 22 November.** | [Take it out] | It is in the trash. (–)",
  ],
  [
    "budget",
    "budget",
    {
      session: aSession({
        queued_prompts: [aPrompt()],
        budget: {
          limits: { turns: 7 },
          spent: { turns: 7, minutes: 1, tokens: null, cost: null },
          reached: "turns",
        },
      }),
    },
    `**The budget is used up.** 1 prompt waits until it is raised. |  | ${QUEUE}`,
  ],
  [
    "directory gone",
    "blocked",
    {
      status: without("workspace_missing"),
      session: aSession({ state: "PAUSED" }),
    },
    `**The agent cannot be brought back.** Its working directory is gone and there is no checkpoint of it: put it back first. | Try again | ${BOX}`,
  ],
];

for (const [name, kind, facts, words] of table)
  test(`[PAG-30] where a session stands: ${name}`, () => {
    assert.equal(said(facts), words);
    assert.equal(standing(someFacts(facts)).kind, kind);
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
                  ? { ...NO_QUOTA, goes_on_at: at(MINUTE) }
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
