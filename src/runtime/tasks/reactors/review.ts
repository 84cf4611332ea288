/** Finds out what an attempt changed, and how its agent stands. */
import type { SessionId } from "../../../contract/base/id.ts";
import type { Diff } from "../../../contract/session/checkpoint.ts";
import type { FileChange } from "../../../contract/task/task.ts";
import type { Intent } from "../../../task/intend.ts";
import { spentOf } from "../../../session/state/budget.ts";
import type { AttemptEnd, State } from "../../../task/state.ts";
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
    resume: agent.resume,
    ...filesOf(await changes(deps, state, session, failingMs)),
    last_words: output.last_words,
    spent: spentOf(standing),
  };
};

const filesOf = (
  diff: Pick<Diff, "changes"> | null,
): Pick<Found, "files_changed" | "files_left_out"> => {
  if (diff === null) return { files_changed: null, files_left_out: 0 };
  const all = diff.changes.map(({ path, kind }): FileChange => ({
    path,
    change: kind,
  }));
  return {
    files_changed: all.slice(0, MAX_FILES),
    files_left_out: Math.max(0, all.length - MAX_FILES),
  };
};

/** Between what was there before its first turn and what its last one left; null where that was not captured. */
const changes = async (
  { operations }: TaskDeps,
  state: State,
  session: SessionId,
  failingMs: number,
): Promise<Diff | null> => {
  const turns = await turnsOf(operations, state, session);
  if (turns === null) return null;
  try {
    return await operations.showDiff(session, {
      from: String(turns.first - 1),
      to: String(turns.last),
      text: false,
    });
  } catch (error) {
    const kind = failureKind(error);
    // Whatever was not captured is not known. A place that stays away does not keep the attempt open for ever.
    if (kind === "refused" || kind === "damaged") return null;
    if (kind === "passing" && failingMs > PATIENCE_MS) return null;
    throw error;
  }
};

/** The turns of the newest attempt, by its prompts. */
const turnsOf = async (
  operations: TaskDeps["operations"],
  state: State,
  session: SessionId,
): Promise<{ first: number; last: number } | null> => {
  const prompts = state.attempts.at(-1)?.prompts ?? [];
  const turns: number[] = [];
  for (const { id, is_sent } of prompts) {
    if (!is_sent) continue;
    const { turn } = await operations.showPrompt(session, id);
    if (turn !== null) turns.push(turn);
  }
  return turns.length === 0
    ? null
    : { first: Math.min(...turns), last: Math.max(...turns) };
};
