import type { SessionId } from "../../contract/base/id.ts";
import type { NewPrompt } from "../../session/state/command.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import { sentTo } from "../callers/session-environment.ts";
import { type Environment, isClosed } from "../callers/caller-environments.ts";
import { loginOf, type OfSession } from "../callers/credentials.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** What a prompt says about the credentials of who sends it. Who sends no environment takes whatever the agent has. */
export type SentWith = Pick<NewPrompt, "credentials" | "not_with_epoch">;

/**
 * Remembers with what environment somebody asks for the agent of a session, if it can still have one. This happens in the
 * session's lane, so that nothing is forgotten between a prompt that is sent with it and the journal that names it.
 */
export const rememberCaller = (
  deps: OperationDeps,
  state: State,
  caller_env: Environment | undefined,
): SentWith => {
  if (isClosed(state) || !deps.held.isHeld(placeOf(state))) return {};
  deps.callers.review(state);
  const sent = rememberCreator(deps, state, caller_env);
  const { execution } = state;
  const isMissed =
    sent.credentials !== undefined &&
    execution?.without?.includes(sent.credentials) === true;
  return isMissed ? { ...sent, not_with_epoch: execution.epoch } : sent;
};

/** The same where no prompt is sent. */
export const rememberAsker = (
  deps: OperationDeps,
  session: SessionId,
  caller_env: Environment | undefined,
): Promise<SentWith> =>
  deps.engine.exclusively(session, async (state) => {
    const sent = rememberCaller(deps, state, caller_env);
    return { command: null, answer: () => sent };
  });

/** The same for a session that is about to be made. */
export const rememberCreator = (
  deps: OperationDeps,
  session: OfSession,
  caller_env: Environment | undefined,
): SentWith => {
  if (caller_env === undefined) return {};
  const sent = sentTo(deps, session.workspace.place, caller_env);
  const { label, isEmpty } = loginOf(deps, session, sent);
  deps.callers.remember(session.id, sent, label);
  return label === null || isEmpty ? {} : { credentials: label };
};

/** That session could not be created: no secrets are kept for it. Where it is in the store after all, they are needed. */
export const forgetCreator = async (
  { callers, store }: Pick<OperationDeps, "callers" | "store">,
  session: SessionId,
): Promise<void> => {
  const created = await store.session(session).catch(() => null);
  if (created === null) callers.forget(session);
};
