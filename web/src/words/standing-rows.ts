/** The rows of `standing`, each with its exact words. Those that ask for a decision are in `standing-decisions.ts`. */
import type {
  SessionStatus,
  Trouble,
} from "../../../src/contract/session/session.ts";
import type { Connection } from "../store/connection.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { date, dueWords, pastTime } from "./age.ts";
import { awayText } from "./away.ts";
import { counted } from "./counts.ts";
import { sentence } from "./sentence.ts";
import type {
  Standing,
  StandingButton,
  StandingFacts,
} from "./standing-row.ts";
import { button, row } from "./standing-parts.ts";

type Facts = StandingFacts;

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
  // What the agent of a fork gets back is known when it has started.
  const isNewFork = session.parent !== null && session.resume === null;
  return row("starting", facts, {
    title: isFirst ? "Starting the agent." : "Bringing the agent back.",
    text: [
      ...(isFirst || isNewFork ? [] : [`${agentName} ${restores(facts)}.`]),
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
          `Another agent takes its place ${next.at === null ? "as soon as it can" : dueWords(next.at, facts.now)}.`,
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
