/**
 * What came of a prompt: `currentResult` says how it stands, `turnResult` waits until its turn is over or needs somebody.
 *
 *   queued · delivered · running ──► working · needs_permission · (the session is at rest) interrupted · failed · cancelled
 *   done ──► completed · cancelled · failed          interrupted · uncertain ──► interrupted, or what continues it
 */
import type { Event } from "../contract/event/event.ts";
import { PromptId, type SessionId } from "../contract/base/id.ts";
import type { Message } from "../contract/session/message.ts";
import type { Permission } from "../contract/agent/permission.ts";
import type { ProblemCode } from "../contract/problem/problem.ts";
import type { Prompt } from "../contract/session/prompt.ts";
import type { Resume } from "../contract/agent/resume.ts";
import type { Session } from "../contract/session/session.ts";
import type { Usage } from "../contract/base/usage.ts";
import { elapsedMs } from "../kit/time/elapsed.ts";
import type { Client } from "./client.ts";
import { mayStopGoingOn } from "./goes-on.ts";
import { patiently } from "./patiently.ts";
import { type ChangedFile, changedFiles, mergedFiles } from "./turn-files.ts";
import { type TurnRecord, readTurn } from "./turn-record.ts";
import { type TurnStatus, standingOf } from "./turn-standing.ts";

export type { ChangedFile, TurnStatus };

export interface TurnResult {
  status: TurnStatus;
  /** The agent's words after its last tool call; all of them where it said nothing after it. */
  text: string;
  session_id: SessionId;
  /** The prompt that this is about: where an interrupted turn was continued, the one that continues it. */
  prompt_id: PromptId;
  /** Null while it waits for its turn. */
  turn: number | null;
  /** As the agent gave it; null while the turn runs, and where it was cut off. */
  stop_reason: string | null;
  /** How the agent came back for this turn; null where it had not been away. */
  resume: Resume | null;
  /** What changed in the workspace, by the checkpoint of the turn. Empty until there is one. */
  files: ChangedFile[];
  pending_permissions: Permission[];
  error: { code: ProblemCode | null; message: string } | null;
}

export interface TurnWait {
  signal?: AbortSignal | undefined;
  /** How long to wait, after the turn, for the checkpoint that tells which files it changed. */
  filesWithinMs?: number | undefined;
}

const FILES_WITHIN_MS = 10_000;

/** Waits until the turn is over or needs somebody. A server that goes away meanwhile is waited for. */
export const turnResult = async (
  client: Client,
  sessionId: string,
  promptId: string,
  { signal, filesWithinMs = FILES_WITHIN_MS }: TurnWait = {},
): Promise<TurnResult> => {
  const lookAgain = () =>
    patiently(signal, () => lookAt(client, sessionId, promptId));
  let look = await lookAgain();
  while (look.result.status === "working") {
    await somethingHappened(client, look, signal);
    look = await lookAgain();
  }
  return patiently(signal, () =>
    withFiles(client, look, { signal, filesWithinMs }),
  );
};

/** How it stands now. */
export const currentResult = async (
  client: Client,
  sessionId: string,
  promptId: string,
): Promise<TurnResult> => {
  const look = await lookAt(client, sessionId, promptId);
  return withFiles(client, look, { signal: undefined, filesWithinMs: 0 });
};

export interface Look {
  result: TurnResult;
  session: Session;
  /** Turns that are over, in order: an interrupted one and those that continued it. */
  turns: FinishedTurn[];
}

export interface FinishedTurn {
  prompt: PromptId;
  turn: number;
  /** The number of the event that ended it. */
  endedAt: number;
  /** Null where it is not known. */
  took_ms: number | null;
  usage: Usage | null;
}

/** How it stands, without the files. */
export const lookAt = async (
  client: Client,
  sessionId: string,
  promptId: string,
): Promise<Look> => {
  const turns: Look["turns"] = [];
  let prompt_id = PromptId.parse(promptId);
  for (;;) {
    // The session first: whatever happens after this look is seen by following from its last event.
    const session = await client.showSession(sessionId);
    const prompt = await client.showPrompt(sessionId, prompt_id);
    const record = await recordOf(client, session, prompt);
    // It was cut off after that look at the session, which cannot tell yet what becomes of it.
    if (isCutAfter(session, record)) continue;
    if (record !== null) turns.push(...finishedTurn(prompt, record));
    const continuedBy = record?.continuedBy ?? null;
    if (continuedBy === null)
      return { result: resultOf(session, prompt, record), session, turns };
    prompt_id = continuedBy;
  }
};

const isCutAfter = (
  { last_seq }: Session,
  record: TurnRecord | null,
): boolean => {
  const end = record?.end ?? null;
  return end !== null && end.kind !== "ended" && end.seq > last_seq;
};

const finishedTurn = (
  { id, turn }: Prompt,
  { began_at, end }: TurnRecord,
): FinishedTurn[] =>
  end === null || turn === null
    ? []
    : [
        {
          prompt: id,
          turn,
          endedAt: end.seq,
          took_ms: began_at === null ? null : elapsedMs(began_at, end.at),
          usage: end.kind === "ended" ? end.usage : null,
        },
      ];

const recordOf = async (
  client: Client,
  session: Session,
  { id: prompt, turn, state }: Prompt,
): Promise<TurnRecord | null> =>
  turn === null
    ? null
    : readTurn(client, {
        session: session.id,
        turn,
        prompt,
        isResolved:
          (state === "interrupted" || state === "uncertain") &&
          !session.unresolved_prompts.some(({ id }) => id === prompt),
      });

const resultOf = (
  session: Session,
  prompt: Prompt,
  record: TurnRecord | null,
): TurnResult => ({
  text: finalWords(record?.messages ?? []),
  session_id: session.id,
  prompt_id: prompt.id,
  turn: prompt.turn,
  stop_reason: record?.end?.kind === "ended" ? record.end.stop_reason : null,
  resume: record?.resume ?? null,
  files: [],
  ...standingOf(session, prompt, record),
});

/** What somebody wants to read of a turn: its conclusion. */
const finalWords = (messages: readonly Message[]): string => {
  const lastTool = messages.findLastIndex(({ role }) => role === "tool");
  const after = wordsOf(messages.slice(lastTool + 1));
  return after === "" ? wordsOf(messages) : after;
};

const wordsOf = (messages: readonly Message[]): string =>
  messages
    .filter(({ role, text }) => role === "agent" && text !== "")
    .map(({ continues, text }, at) =>
      at === 0 || continues !== undefined ? text : `\n\n${text}`,
    )
    .join("")
    .trim();

/** Resolves when something has happened that can change how the prompt stands. */
const somethingHappened = async (
  client: Client,
  { session, result }: Look,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const feed = client.follow(session.id, {
    after: session.last_seq,
    ...(signal !== undefined && { signal }),
  });
  for await (const event of feed) if (concerns(event, result.prompt_id)) return;
  signal?.throwIfAborted();
};

const concerns = (event: Event, prompt: PromptId): boolean => {
  switch (event.type) {
    case "session.turn.ended":
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
    case "session.prompt.cancelled":
    case "session.prompt.resolved":
      return event.data.prompt_id === prompt;
    case "session.permission.requested":
      return event.data.answered_by === undefined;
    default:
      return mayStopGoingOn(event);
  }
};

/** Where a turn is over. Others have no checkpoint yet, or none that is theirs. */
const withFiles = async (
  client: Client,
  { result, session, turns }: Look,
  wait: { signal: AbortSignal | undefined; filesWithinMs: number },
): Promise<TurnResult> => {
  if (!session.checkpoints || result.status === "working") return result;
  const files: ChangedFile[][] = [];
  for (const turn of turns)
    files.push(await changedFiles(client, session.id, turn, wait));
  return { ...result, files: mergedFiles(files) };
};
