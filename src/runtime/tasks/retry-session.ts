import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { State as SessionState } from "../../session/state/state.ts";
import type { RetrySession } from "../../task/command.ts";
import { newestAttempt, type State } from "../../task/state.ts";
import { isDamage } from "../failures/session-damaged.ts";
import type { Engine } from "../sessions/session-journal.ts";

/** The session of the newest attempt, as it stands; null where no attempt has one, or it is gone without a trace. */
export const retrySessionOf = async (
  engine: Engine,
  task: State,
): Promise<RetrySession | null> => {
  const id = newestAttempt(task)?.session_id ?? null;
  if (id === null) return null;
  try {
    return standing(await engine.state(id));
  } catch (error) {
    if (isDamage(error) || isGone(error)) return gone(id, task);
    throw error;
  }
};

const standing = (state: SessionState): RetrySession => ({
  id: state.id,
  agent: state.agent.definition.agent,
  profile: state.agent.definition.profile,
  state: state.lifecycle.name,
  is_gone: state.deleted_at !== null,
  abilities: state.agent.abilities,
});

const gone = (id: SessionId, task: State): RetrySession => ({
  id,
  agent: newestAttempt(task)?.agent ?? "",
  state: "ERROR",
  is_gone: true,
  abilities: { resume: false, load: false, injection: false },
});

const isGone = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "session_not_found";
