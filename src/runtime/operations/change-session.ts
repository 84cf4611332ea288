import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { BegunChange } from "../../contract/event/draft.ts";
import { explainRestriction } from "../../contract/agent/restriction.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { Session } from "../../contract/session/session.ts";
import { pendingChange } from "../../session/state/changes.ts";
import type { State } from "../../session/state/state.ts";
import { viewOf } from "../../session/view/view.ts";
import { attachAgent } from "./attach-agent.ts";
import { checkStandIns } from "./stand-ins.ts";
import { placeOf } from "../../session/state/place.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { once } from "./session-wish.ts";
import { settled } from "./settled.ts";

/** Answers when the agent that runs has confirmed it, or refused it. */
export const changeOperations = (deps: OperationDeps) => ({
  changeSession: (
    session: SessionId,
    changes: ChangeSessionRequest,
    key?: string,
  ): Promise<Session> =>
    once(deps, {
      scope: session,
      key,
      request: { operation: "change", ...changes },
      draft: BegunChange,
      answer: Session,
      begin: async (keep) => {
        await attachAgent(deps, "change", session);
        await checkAgents(deps, session, changes);
        const command = { type: "session.change", changes } as const;
        const kept = keep((after) => begunOf(after, changes));
        return begunOf(
          await deps.engine.issue(session, command, kept),
          changes,
        );
      },
      again: () => deps.recovery.touch(session),
      finish: async ({ change }) =>
        change === null
          ? viewOf(await deps.engine.state(session))
          : afterChange(deps, session, change),
    }),
});

const checkAgents = async (
  deps: OperationDeps,
  session: SessionId,
  { on_quota }: ChangeSessionRequest,
): Promise<void> => {
  if (on_quota === undefined) return;
  const at = placeOf(await deps.engine.state(session));
  const place = await deps.places.obtain(at);
  const caller_env = deps.callers.newest(session) ?? {};
  await checkStandIns(deps, place, { at, caller_env }, on_quota);
};

/** The change that waits for the agent, where this request made one: what is asked of an agent waits behind others. */
const begunOf = (
  { agent: { changes } }: State,
  { model, mode, options }: ChangeSessionRequest,
): BegunChange => {
  const isForAgent = [model, mode, options].some((it) => it !== undefined);
  const isPending = pendingChange(changes, changes.last) !== undefined;
  return { change: isForAgent && isPending ? changes.last : null };
};

const afterChange = async (
  deps: OperationDeps,
  session: SessionId,
  change: number,
): Promise<Session> => {
  const state = await settled(
    deps,
    session,
    "Changing the settings of the agent",
    ({ agent }) => pendingChange(agent.changes, change) === undefined,
  );
  const refused = state.agent.changes.refused.find(
    (each) => each.change === change,
  );
  if (refused === undefined) return viewOf(state);
  const [event] = await deps.store.events(session, refused.seq - 1, 1);
  if (event?.type !== "session.change.refused")
    throw new Error(`event ${refused.seq} of ${session} is no refusal`);
  const { restriction } = event.data;
  throw new RepriseError(
    "restriction_not_held",
    `${explainRestriction(restriction)} Nothing was changed.`,
    { restriction, state: state.lifecycle.name },
  );
};
