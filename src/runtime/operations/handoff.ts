import { isDeepStrictEqual } from "node:util";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Profile } from "../../contract/api/profile.ts";
import type { HandoffRequest } from "../../contract/api/request.ts";
import { explainRestriction } from "../../contract/agent/restriction.ts";
import { Session } from "../../contract/session/session.ts";
import {
  handedDefinition,
  lostByHandoff,
} from "../../session/decide/change-definition.ts";
import { placeOf } from "../../session/state/place.ts";
import { viewOf } from "../../session/view/view.ts";
import type { Kept } from "./session-wish.ts";
import {
  chosenProfile,
  handoffChange,
  unlessGiven,
} from "../callers/chosen-profile.ts";
import { requireVariables } from "../callers/session-environment.ts";
import { findAgent, presumed } from "../callers/find-agent.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { askSession } from "./session-wish.ts";
import { afterCapture, hasStopped, settled } from "./settled.ts";

export const handoffOperations = (deps: OperationDeps) => ({
  handOffSession: (session: SessionId, request: HandoffRequest, key?: string) =>
    askSession(deps, {
      session,
      key,
      request: { operation: "handoff", ...request },
      answer: Session,
      begin: (kept) => handOff(deps, session, request, kept),
      finish: async () =>
        viewOf(await settled(deps, session, "Handing off", hasStopped)),
    }),
});

/** Another agent goes on: it starts with the next prompt, and is told the history. */
const handOff = async (
  deps: OperationDeps,
  session: SessionId,
  request: HandoffRequest,
  kept: Kept,
): Promise<void> => {
  const { engine, places, overrides, store } = deps;
  const chosen = chosenProfile(deps, request);
  if (chosen === null) throw new Error("a handoff names an agent or a profile");
  const { agent: wanted, profile } = chosen;
  const says = profile?.says;
  const change = handoffChange(says, request);
  const state = await engine.state(session);
  const { definition } = state.agent;
  checkSameSandbox(definition, says);
  const { cwd } = state.workspace;
  const at = placeOf(state);
  const place = await places.obtain(at);
  const env = await store.env(session);
  const agent = await findAgent(deps, place, {
    agent: wanted,
    at,
    cwd,
    env,
    env_from: says?.env,
    caller_env: deps.callers.newest(session) ?? {},
  });
  requireVariables(deps, { profile: profile?.id, env_from: says?.env });
  const restriction = lostByHandoff(definition, change);
  if (restriction !== null && wanted !== definition.agent)
    throw new RepriseError(
      "restriction_not_held",
      `${explainRestriction(restriction)} Say what takes its place, or leave it out.`,
      { restriction },
    );
  await afterCapture(deps, session);
  await engine.issue(
    session,
    {
      type: "session.handoff",
      definition: {
        ...handedDefinition(definition, change),
        agent: wanted,
        home: homeFor(definition, says?.home ?? overrides[wanted]?.home),
        ...(says?.instructions !== undefined && {
          instructions: says.instructions,
        }),
        ...(profile !== null && { profile: profile.id }),
        ...(says?.env !== undefined && {
          env_from: unlessGiven(says.env, definition.env_names),
        }),
      },
      abilities: presumed(agent),
    },
    kept,
  );
};

/** A session keeps its sandbox, or goes on without one: another one would not hold for what it did before. */
const checkSameSandbox = (
  { sandbox }: AgentDefinition,
  says: Profile | undefined,
): void => {
  if (says?.sandbox === undefined || isDeepStrictEqual(says.sandbox, sandbox))
    return;
  throw new RepriseError(
    "restriction_not_held",
    "The profile has a sandbox that this session does not have, and a sandbox is made with the session. Start a new session with the profile, or name another one.",
  );
};

const homeFor = (
  { home, sandbox }: AgentDefinition,
  wanted: AgentDefinition["home"] | undefined,
): AgentDefinition["home"] =>
  sandbox === undefined ? (wanted ?? home) : "session";
