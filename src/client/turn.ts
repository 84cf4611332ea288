/**
 * What came of a prompt: `currentResult` says how it stands, `turnResult` waits until its turn is over or needs somebody.
 */
import { PromptId, type SessionId } from "../contract/base/id.ts";
import type { Message } from "../contract/session/message.ts";
import type { Permission } from "../contract/agent/permission.ts";
import type { ProblemCode } from "../contract/problem/problem.ts";
import type { Prompt } from "../contract/session/prompt.ts";
import type { Resume } from "../contract/agent/resume.ts";
import type { Session } from "../contract/session/session.ts";
import type { Usage } from "../contract/base/usage.ts";
import { backoff } from "../kit/time/backoff.ts";
import { elapsedMs } from "../kit/time/elapsed.ts";
import type { Client } from "./client.ts";
import { patiently } from "./patiently.ts";
import {
  afterEvent,
  type Prompts,
  promptsOf,
  withPrompt,
} from "./prompt/prompt-phases.ts";
import {
  isOpen,
  needsView,
  type PromptStatus,
  statusOf,
} from "./prompt/prompt-status.ts";
import { pause } from "./retry.ts";
import {
  type ChangedFile,
  changedFiles,
  mergedFiles,
} from "./turn/turn-files.ts";
import { type TurnRecord, readTurn } from "./turn/turn-record.ts";
import { type TurnStatus, statusWords } from "./turn/turn-words.ts";

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
  /** While it is `working`: when it begins or goes on by itself, where it waits for a quota. */
  waits_until: string | null;
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
  /** The same, to go on from with the events that follow. */
  prompts: Prompts;
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
  for (let attempt = 0; ; attempt += 1) {
    // The session first: whatever happens after this look is seen by following from its last event.
    const session = await client.showSession(sessionId);
    const prompt = await client.showPrompt(sessionId, prompt_id);
    const record = await recordOf(client, session, prompt);
    const prompts = withPrompt(
      promptsOf(session),
      prompt,
      record?.end ?? null,
      session.pending_permissions,
    );
    // It was cut off after that look at the session, which cannot tell yet what becomes of it.
    if (needsView(prompts, prompt_id)) {
      await pause(backoff(attempt, 5, 1_000), undefined);
      continue;
    }
    if (record !== null) turns.push(...finishedTurn(prompt, record));
    const continuedBy = record?.continuedBy ?? null;
    if (continuedBy === null)
      return {
        result: resultOf(session, prompt, record, prompts),
        session,
        prompts,
        turns,
      };
    prompt_id = continuedBy;
  }
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
          usage: end.type === "session.turn.ended" ? end.data.usage : null,
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
  prompts: Prompts,
): TurnResult => {
  const status = statusOf(prompts, prompt.id);
  return {
    text: finalWords(record?.messages ?? []),
    session_id: session.id,
    prompt_id: prompt.id,
    turn: prompt.turn,
    stop_reason: status.kind === "ended" ? status.end.stop_reason : null,
    resume: record?.resume ?? null,
    files: [],
    pending_permissions:
      status.kind === "needs_permission"
        ? session.pending_permissions.filter(({ turn }) => turn === prompt.turn)
        : [],
    ...statusWords(session, status),
  };
};

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
  { session, prompts: before, result: { prompt_id } }: Look,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const feed = client.follow(session.id, {
    after: session.last_seq,
    ...(signal !== undefined && { signal }),
  });
  let prompts = before;
  for await (const event of feed) {
    prompts = afterEvent(prompts, event);
    const status = statusOf(prompts, prompt_id);
    if (needsView(prompts, prompt_id) || !isWorking(status)) return;
  }
  signal?.throwIfAborted();
};

const isWorking = (status: PromptStatus): boolean =>
  isOpen(status) && status.kind !== "needs_permission";

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
