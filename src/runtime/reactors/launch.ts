import type { StartOrder } from "../../contract/link/link.ts";
import type { Intent } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { agentSessionOf } from "../callers/agent-session.ts";
import type { Environment } from "../callers/caller-environments.ts";
import { environmentOf } from "../callers/credentials.ts";
import { requireVariables } from "../callers/session-environment.ts";
import { checkSandbox } from "../places/sandbox.ts";
import type { Place } from "../ports/executors.ts";
import type { ReactorDeps } from "./reactor-deps.ts";
import { startOrFail } from "./start-or-fail.ts";
import { turnsCut, turnsKnown } from "../../session/state/turns.ts";

/** Has agentctl start the agent. Everything after comes as reports. */
export const launch = (
  deps: ReactorDeps,
  state: State,
  intent: Extract<Intent, { kind: "launch" }>,
  failingMs: number,
): Promise<void> => {
  const { places, callers } = deps;
  const { execution_id, epoch } = intent;
  return startOrFail(deps, state, { epoch, failingMs }, async (place) => {
    const { credentials } = state.execution ?? {};
    const env =
      credentials === undefined
        ? (callers.newest(state.id) ?? {})
        : environmentOf(deps, state, credentials);
    if (env === undefined) return beginAgain(deps, place, state, intent);
    const order = await startOrder(deps, state, env, intent);
    await checkSandbox(place, order.definition.sandbox);
    places.expect(execution_id, state.id);
    await place.start(order);
  });
};

/**
 * An earlier server began it with credentials that this one does not have. If its order never reached agentctl, another
 * execution begins, whose record says what it is started with.
 */
const beginAgain = async (
  { engine }: ReactorDeps,
  place: Place,
  { id }: State,
  { execution_id, epoch }: Extract<Intent, { kind: "launch" }>,
): Promise<void> => {
  const known = await place.executions();
  if (!known.some((each) => each.execution_id === execution_id))
    await engine.issue(id, { type: "execution.lose", epoch });
};

const NEW = { kind: "new", failed: null } as const;

const startOrder = async (
  deps: ReactorDeps,
  state: State,
  callerEnv: Environment,
  {
    execution_id,
    epoch,
  }: { execution_id: StartOrder["execution_id"]; epoch: number },
): Promise<StartOrder> => {
  requireVariables(deps, state.agent.definition);
  const { token: _, ...agent } = await agentSessionOf(deps, state, callerEnv);
  const { opening = NEW, rebuild = null } = state.execution ?? {};
  const { last_ended_id } = state.executions_so_far;
  return {
    execution_id,
    epoch,
    session_id: state.id,
    ...agent,
    cwd: state.workspace.cwd,
    open:
      opening.kind === "new"
        ? {
            kind: "new",
            ...(opening.failed !== null && { failed: opening.failed }),
          }
        : {
            kind: "native",
            token: opening.token,
            transcript: state.agent.transcript,
            turns: turnsKnown(state.turns),
            cut: turnsCut(state).length,
          },
    ...(rebuild === null ? {} : { rebuild }),
    worktree: state.workspace.worktree,
    predecessors: last_ended_id === null ? [] : [last_ended_id],
    deadline_ms: deps.startDeadlineMs,
  };
};
