/** The rows of `standing`, each with its exact words. */
import {
  describeEnding,
  type Ending,
} from "../../../src/contract/session/ending.ts";
import type { InterruptionCode } from "../../../src/contract/session/interruption.ts";
import type { UnresolvedPrompt } from "../../../src/contract/session/prompt.ts";
import type {
  SessionStatus,
  Trouble,
} from "../../../src/contract/session/session.ts";
import type { Connection } from "../store/connection.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { date, dueTime, pastTime } from "./age.ts";
import { awayText } from "./away.ts";
import { counted } from "./counts.ts";
import { sentence } from "./sentence.ts";
import type {
  Standing,
  StandingAction,
  StandingButton,
  StandingFacts,
  StandingKind,
} from "./standing.ts";

type Facts = StandingFacts;

const button = (
  label: string,
  does: StandingAction,
  primary = false,
): StandingButton => ({ label, does, primary });

const row = (
  kind: StandingKind,
  facts: Facts,
  rest: Partial<Omit<Standing, "kind">>,
): Standing => ({
  kind,
  tone: "plain",
  title: null,
  quote: null,
  text: null,
  buttons: [],
  box: { text: `Write to ${facts.agentName}`, send: "Send" },
  hasPanels: true,
  ...rest,
});

const closedBox = (text: string): Standing["box"] => ({ text, send: null });

export const away = (
  connection: Extract<Connection, { kind: "away" }>,
  facts: Facts,
): Standing =>
  row("away", facts, {
    tone: "amber",
    title: "The server is away.",
    text: awayText(connection, facts.now),
    buttons: [button("Try now", { kind: "try_connection" })],
    hasPanels: false,
  });

export const trash = (deletedAt: string, facts: Facts): Standing => {
  const { trashDays } = facts;
  const until =
    trashDays === null ? null : Date.parse(deletedAt) + trashDays * 86_400_000;
  return row("trash", facts, {
    title:
      until === null
        ? `In the trash since ${date(deletedAt)}.`
        : `In the trash until ${date(until)}.`,
    buttons: [button("Take it out", { kind: "undelete" }, true)],
    box: closedBox("It is in the trash."),
    hasPanels: false,
  });
};

const endWords = {
  COMPLETED: "Completed",
  CANCELLED: "Cancelled",
  FAILED: "Failed",
} as const;

export const ended = (facts: Facts): Standing => {
  const { state, last_active_at, checkpoint } = facts.session;
  const word =
    state === "CANCELLED" || state === "FAILED"
      ? endWords[state]
      : endWords.COMPLETED;
  const canFork = checkpoint !== null && checkpoint.outcome !== "failed";
  return row("ended", facts, {
    title: `${word} ${pastTime(last_active_at, facts.now)}.`,
    text: canFork
      ? "It can be read, and gone on from as a fork."
      : "It can be read.",
    buttons: canFork
      ? [
          button(`Fork from turn ${checkpoint.turn}`, {
            kind: "fork",
            turn: checkpoint.turn,
          }),
        ]
      : [],
    box: closedBox("The session has ended."),
  });
};

export const diskFull = (facts: Facts): Standing =>
  row("disk_full", facts, {
    tone: "red",
    title: "The disk is full.",
    text: "Your prompt was not taken; it is still in the box.",
    buttons: [button("What takes the space", { kind: "show_disk_use" })],
  });

export const trouble = ({ code, text }: Trouble, facts: Facts): Standing =>
  row("trouble", facts, { tone: "amber", text, buttons: remedies(code) });

const remedies = (code: Trouble["code"]): StandingButton[] => {
  switch (code) {
    case "agent_gone":
    case "starting_too_long":
    case "workspace_busy":
      return [button("Recover", { kind: "recover" }, true)];
    case "agent_silent":
      return [button("Cancel turn", { kind: "cancel_turn" })];
    case "agentctl_unavailable":
    case "agent_unheard":
    case "session_damaged":
      return [];
    default:
      return unreachable(code);
  }
};

const LONG_START_MS = 10_000;

export const starting = (facts: Facts): Standing => {
  const { session, agentName, startingSince, now } = facts;
  const passed = startingSince === null ? 0 : now - startingSince;
  const still =
    passed < LONG_START_MS
      ? []
      : [`Still starting, ${Math.floor(passed / 1000)} s.`];
  const isFirst = session.turn_count === 0 && session.resume === null;
  return row("starting", facts, {
    title: isFirst ? "Starting the agent." : "Bringing the agent back.",
    text: [
      ...(isFirst ? [] : [`${agentName} ${restores(facts)}.`]),
      "Files and terminals open in a moment.",
      ...still,
    ].join(" "),
    box: { text: `Write to ${agentName}`, send: "Queue" },
    hasPanels: false,
  });
};

const restores = ({ session, status }: Facts): string => {
  const isTold =
    status?.resume_reason === "agent_not_running_fresh_start" ||
    session.metadata.resume_token === null;
  return isTold ? "is given the history as text" : "restores its own session";
};

export const notResumable = (facts: Facts): Standing =>
  row("not_resumable", facts, {
    tone: "amber",
    title: "This agent doesn’t support resuming. Start a new session.",
    text: "This agent cannot resume previous sessions. Create a new session.",
    buttons: [
      button("Create new session", { kind: "new_session" }, true),
      button("Start it without memory", { kind: "start_without_memory" }),
    ],
    box: closedBox("Create new session to continue messaging."),
  });

export const error = (facts: Facts): Standing => {
  const { error_message, queued_prompts, quota } = facts.session;
  const waiting = queued_prompts.length;
  const rest =
    waiting === 0
      ? "The workspace is open."
      : `${counted(waiting, "prompt waits", "prompts wait")}; the workspace is open.`;
  const next = quota.next_agent;
  const takesOver =
    next === null
      ? []
      : [
          `Another agent takes its place ${next.at === null ? "as soon as it can" : `at ${dueTime(next.at, facts.now)}`}.`,
        ];
  const said = error_message === null ? [] : [sentence(error_message)];
  return row("error", facts, {
    tone: "red",
    title: "The agent could not be brought back.",
    text: [...said, ...takesOver, rest].join(" "),
    buttons: [
      button("Try again", { kind: "resume" }, true),
      button("Open workspace", { kind: "open_workspace" }),
    ],
  });
};

/** Null where no quota keeps anything waiting. */
export const quota = (facts: Facts): Standing | null => {
  const { session, now } = facts;
  const until =
    session.quota.goes_on_at ??
    session.quota.prompts_wait_until ??
    session.quota.used_up.find(({ agent }) => agent === session.agent)?.until ??
    null;
  const cut = session.unresolved_prompts.at(-1);
  if (until === null) return null;
  const goesOn = (cut?.goes_on ?? null) !== null;
  const waiting = session.queued_prompts.length;
  if (cut === undefined && waiting === 0) return null;
  const turn = cut?.turn ?? null;
  return row("quota", facts, {
    title: `Quota used up until ${dueTime(until, now)}.`,
    text:
      cut === undefined
        ? `${counted(waiting, "prompt begins by itself", "prompts begin by themselves")} then.`
        : `${turn === null ? "The turn" : `Turn ${turn}`} ${goesOn ? "goes on by itself then" : "waits for your word"}.`,
    buttons: [
      button(
        "Go on now",
        cut === undefined || goesOn
          ? { kind: "resume_now" }
          : { kind: "resolve", promptId: cut.id, action: "continue" },
      ),
      ...(cut === undefined
        ? []
        : [
            button("Drop it", {
              kind: "resolve",
              promptId: cut.id,
              action: "drop",
            }),
          ]),
    ],
  });
};

const decisions = (
  { id: promptId }: UnresolvedPrompt,
  primary: boolean,
): StandingButton[] => [
  button(
    "Continue",
    { kind: "resolve", promptId, action: "continue" },
    primary,
  ),
  button("Resend", { kind: "resolve", promptId, action: "resend" }),
  button("Drop", { kind: "resolve", promptId, action: "drop" }),
];

/** Servers of older releases do not say what it asked for, nor why it was cut off. */
type Undecided = UnresolvedPrompt & {
  text?: string | undefined;
  reason?: string | undefined;
  code?: InterruptionCode | undefined;
};

export const interrupted = (prompt: Undecided, facts: Facts): Standing =>
  row("interrupted", facts, {
    tone: "amber",
    title: `${prompt.turn === null ? "The turn" : `Turn ${prompt.turn}`} was cut off: ${cause(prompt, facts)}.`,
    text: "What it did is kept. Nothing is sent again by itself.",
    buttons: decisions(prompt, true),
  });

/** How its agent ended, or why it was stopped where nobody says how. */
const cause = (prompt: Undecided, { line }: Facts): string => {
  const ending = endingOf(prompt, line);
  return ending === null
    ? causes[prompt.code ?? "agent_died"]
    : `the agent ${describeEnding(ending)}`;
};

const causes: Readonly<Record<InterruptionCode, string>> = {
  paused: "the session was paused",
  agent_died: "the agent is gone",
  agent_stopped: "the agent was stopped",
  session_ended: "the session ended",
  quota: "the quota was used up",
  moved: "the session was moved to another home",
};

const endingOf = (
  { turn }: UnresolvedPrompt,
  line: Facts["line"],
): Ending | null => {
  const mark = line.findLast(
    (each) => each.kind === "break" && each.turn === turn,
  );
  return mark?.kind === "break" ? mark.ending : null;
};

export const uncertain = (prompt: Undecided, facts: Facts): Standing =>
  row("uncertain", facts, {
    tone: "amber",
    title: "Nobody knows whether the agent took this prompt.",
    quote: prompt.text ?? null,
    text: prompt.reason === undefined ? null : sentence(prompt.reason),
    buttons: decisions(prompt, false),
  });

export const budget = (facts: Facts): Standing =>
  row("budget", facts, {
    tone: "amber",
    title: "The budget is used up.",
    text: `${counted(facts.session.queued_prompts.length, "prompt waits", "prompts wait")} until it is raised.`,
    box: { text: `Write to ${facts.agentName}`, send: "Queue" },
  });

/** Something has to be put right first. Null where nothing has. */
export const blocked = (facts: Facts): Standing | null => {
  const { status } = facts;
  if (status === null || status.is_agent_running || status.is_resumable)
    return null;
  const text = obstacle(status.resume_reason);
  if (text === null) return null;
  return row("blocked", facts, {
    tone: "amber",
    title: "The agent cannot be brought back.",
    text,
    buttons: [button("Try again", { kind: "resume" })],
  });
};

const obstacle = (reason: SessionStatus["resume_reason"]): string | null => {
  switch (reason) {
    case "workspace_missing":
      return "Its working directory is gone and there is no checkpoint of it: put it back first.";
    case "workspace_not_a_directory":
      return "Its working directory is not a directory any more: put it back first.";
    case "agent_not_installed":
      return "The agent is not found here: install it, or define it in config.json again.";
    case "damaged":
      return "Its journal is damaged.";
    default:
      return null;
  }
};

export const paused = (facts: Facts): Standing => {
  const { quietMinutes } = facts;
  return row("paused", facts, {
    title:
      quietMinutes === null
        ? "Paused."
        : `Paused after ${counted(quietMinutes, "quiet minute")}.`,
    text: "Nothing runs, everything is kept. A prompt brings the agent back.",
    buttons: [button("Resume session", { kind: "resume" })],
  });
};

export const needsResume = (status: SessionStatus, facts: Facts): Standing => {
  const { turn_count, turns_left_behind } = facts.session;
  const turns = turn_count - turns_left_behind;
  return row("needs_resume", facts, {
    title: "The agent is not running.",
    text:
      status.resume_reason === "agent_not_running_fresh_start"
        ? "It will be given the history as text."
        : `It can restore its own session${turns === 0 ? "" : ` and will remember ${turns === 1 ? "its turn" : `all ${counted(turns, "turn")}`}`}.`,
    buttons: [button("Resume session", { kind: "resume" }, true)],
  });
};

export const ready = (facts: Facts): Standing => {
  const { session, agentName, line } = facts;
  if (session.state !== "RUNNING") return row("ready", facts, {});
  const turn = line.findLast((mark) => mark.kind === "turn");
  const behind = turn?.kind === "turn" ? ` behind turn ${turn.turn}` : "";
  return row("ready", facts, {
    box: {
      text: `Write to ${agentName}. It waits its turn${behind}.`,
      send: "Queue",
    },
  });
};
