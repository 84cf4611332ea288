/** Finds out what an attempt changed, and how its agent stands. */
import type { PromptId, SessionId } from "../../../contract/base/id.ts";
import type { Change } from "../../../contract/session/checkpoint.ts";
import type { FileChange } from "../../../contract/task/task.ts";
import { allChanges } from "../../../task/file-changes.ts";
import type { Intent } from "../../../task/intend.ts";
import { spentOf } from "../../../session/state/limits/budget.ts";
import type { State as SessionState } from "../../../session/state/state.ts";
import {
  type AttemptEnd,
  newestAttempt,
  type State,
} from "../../../task/state.ts";
import { failureKind } from "../../failures/failure-kind.ts";
import { isSessionGone } from "../../failures/session-gone.ts";
import { retrySessionOf } from "../retry-session.ts";
import { newIds, type TaskDeps } from "../task-deps.ts";

/** How long what an attempt changed is asked for. */
const PATIENCE_MS = 60_000;

/** So many paths are named (TSK-15). */
const MAX_FILES = 1000;

type Found = Omit<AttemptEnd, "outcome" | "reason">;

export const review = async (
  deps: TaskDeps,
  state: State,
  { attempt_id, session_id }: Extract<Intent, { kind: "review" }>,
  failingMs: number,
): Promise<void> => {
  const { tasks, sessions } = deps;
  const found =
    session_id === null
      ? NOTHING
      : await look(deps, state, session_id, failingMs).catch(orNothing);
  const session = await retrySessionOf(sessions, state);
  await tasks.issue(state.id, {
    type: "attempt.end",
    attempt_id,
    ids: newIds(deps),
    session,
    ...found,
  });
};

const NOTHING: Found = {
  agent_session_id: null,
  resume: null,
  files_changed: null,
  files_left_out: 0,
  last_words: null,
  spent: null,
};

/** The session was removed, or is damaged: nothing can be found out any more. */
const orNothing = (error: unknown): Found => {
  if (isSessionGone(error) || failureKind(error) === "damaged") return NOTHING;
  throw error;
};

const look = async (
  deps: TaskDeps,
  state: State,
  session: SessionId,
  failingMs: number,
): Promise<Found> => {
  const standing = await deps.sessions.state(session);
  const { agent, output } = standing;
  return {
    agent_session_id: agent.token,
    resume: newestAttempt(state)?.was_resumed === true ? agent.resume : null,
    ...filesOf(
      await changes(deps, session, promptsOf(state, standing), failingMs),
    ),
    last_words: output.last_words,
    spent: spentOf(standing),
  };
};

const filesOf = (
  all: readonly FileChange[] | null,
): Pick<Found, "files_changed" | "files_left_out"> => {
  if (all === null) return { files_changed: null, files_left_out: 0 };
  return {
    files_changed: all.slice(0, MAX_FILES),
    files_left_out: Math.max(0, all.length - MAX_FILES),
  };
};

/** What its turns changed, each from what it found to what it left; null where that was not captured (TSK-38). */
const changes = async (
  { operations }: TaskDeps,
  session: SessionId,
  prompts: readonly PromptId[],
  failingMs: number,
): Promise<FileChange[] | null> => {
  const turns = await turnsOf(operations, session, prompts);
  if (turns.length === 0) return null;
  try {
    const found: FileChange[][] = [];
    for (const turn of turns) {
      const asked = { to: String(turn), text: false };
      const diff = await operations.showDiff(session, asked);
      if (diff.from === null) return null;
      found.push(diff.changes.map(fileChange));
    }
    return allChanges(found);
  } catch (error) {
    const kind = failureKind(error);
    // Whatever was not captured is not known. A place that stays away does not keep the attempt open for ever.
    if (kind === "refused" || kind === "damaged") return null;
    if (kind === "passing" && failingMs > PATIENCE_MS) return null;
    throw error;
  }
};

const fileChange = ({ path, kind }: Change): FileChange => ({
  path,
  change: kind,
});

/** The prompts of the newest attempt that were sent, and those that went on with them after a quota. */
const promptsOf = (
  state: State,
  { prompts: { continued } }: SessionState,
): PromptId[] =>
  (newestAttempt(state)?.prompts ?? [])
    .filter(({ is_sent }) => is_sent)
    .flatMap(({ id }) => [
      id,
      ...continued.filter(({ first }) => first === id).map(({ by }) => by),
    ]);

/** The turns of these prompts, in order. */
const turnsOf = async (
  operations: TaskDeps["operations"],
  session: SessionId,
  prompts: readonly PromptId[],
): Promise<number[]> => {
  const turns: number[] = [];
  for (const id of prompts) {
    const { turn } = await operations.showPrompt(session, id);
    if (turn !== null) turns.push(turn);
  }
  return turns.toSorted((one, other) => one - other);
};
