import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { State } from "../../session/state/state.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import { soundStateOf } from "../sessions/sound-state.ts";
import type { OperationDeps } from "./operation-deps.ts";

type SettledDeps = Pick<
  OperationDeps,
  "closing" | "engine" | "recovery" | "resumeDeadlineMs" | "store"
>;

/** Waits until a session fits. At the deadline only the waiting ends; what it waited for goes on. */
export const settled = async (
  { closing, engine, resumeDeadlineMs }: SettledDeps,
  session: SessionId,
  what: string,
  fits: (state: State) => boolean,
): Promise<State> => {
  const deadline = AbortSignal.timeout(resumeDeadlineMs);
  try {
    const signal = AbortSignal.any([deadline, closing]);
    return await engine.until(session, fits, signal);
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new RepriseError(
      "timed_out",
      `${what} takes longer than ${resumeDeadlineMs / 1000} s. It goes on: follow the session, or recover it.`,
    );
  }
};

/** What a turn has just left is captured first, where anything is. */
export const afterCapture = (
  deps: SettledDeps,
  session: SessionId,
): Promise<State> => {
  deps.recovery.touchSoon(session);
  return settled(
    deps,
    session,
    "Capturing the workspace",
    ({ checkpoints: { due } }) => due === null || due.kind === "safety",
  );
};

/** What can be asked for is what was captured: a session without checkpoints has none of it, a damaged one what was told before. */
export const captured = async (
  deps: SettledDeps,
  session: SessionId,
): Promise<State> => {
  const state = await afterCapture(deps, session).catch((error: unknown) => {
    if (isSessionDamaged(error)) return soundStateOf(deps, session);
    throw error;
  });
  if (state.checkpoints.enabled) return state;
  throw new RepriseError(
    "checkpoint_not_found",
    'This session takes no checkpoints: there is nothing to compare, to fork or to go back to. That was said when it was started, or `"checkpoints": false` in the config.json of the home said it.',
  );
};

/** Nothing of its agent is on its way out any more. */
export const hasStopped = ({ execution }: State): boolean =>
  execution?.phase.kind !== "stopping";
