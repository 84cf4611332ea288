/** Has another agent go on because of a quota, if it is installed, logged in, and held to what the session restricts. */
import type {
  Abilities,
  AgentDefinition,
  AgentId,
} from "../../contract/agent/agent.ts";
import { explainRestriction } from "../../contract/agent/restriction.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import {
  handedDefinition,
  lostByHandoff,
  returnedDefinition,
} from "../../session/decide/change-definition.ts";
import type { Intent } from "../../session/intend.ts";
import type { Command } from "../../session/state/command.ts";
import type { HandOver } from "../../session/state/quota/hand-over.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import { findAgent, presumed } from "../callers/find-agent.ts";
import { continuedBy } from "./go-on.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

export const handOver = async (
  deps: ReactorDeps,
  state: State,
  { to, prompt_id }: Extract<Intent, { kind: "hand_over" }>,
): Promise<void> => {
  const found = await candidate(deps, state, to);
  await deps.engine.exclusively(state.id, async (now) => ({
    command: await commandFor(deps, now, { to, prompt_id }, found),
    answer: () => undefined,
  }));
};

/** Null where somebody has decided about the prompt meanwhile. */
const commandFor = async (
  deps: ReactorDeps,
  now: State,
  { to, prompt_id }: Pick<HandOver, "to" | "prompt_id">,
  found: Candidate,
): Promise<Command | null> => {
  const unfit = found.kind === "unfit" ? found : notHeldBy(now, to);
  if (unfit !== null) {
    const { code, message } = unfit;
    return { type: "quota.pass_over", agent: to, code, message };
  }
  if (found.kind === "unfit") return null;
  const { abilities } = found;
  const definition = definitionFor(deps, now, to);
  const change = { to, definition, abilities };
  const type = "quota.hand_over";
  if (prompt_id === null) return { type, ...change, prompt_id, by: null };
  const agent = { ...now.agent, definition, abilities };
  const by = await continuedBy(deps, { ...now, agent }, prompt_id);
  return by === null ? null : { type, ...change, prompt_id, by };
};

interface Unfit {
  kind: "unfit";
  code: string;
  message: string;
}

type Candidate = Unfit | { kind: "fit"; abilities: Abilities };

const candidate = async (
  deps: ReactorDeps,
  state: State,
  to: AgentId,
): Promise<Candidate> => {
  const { places, store, callers } = deps;
  const { first } = state.quotas;
  const at = placeOf(state);
  const place = await places.obtain(at);
  try {
    const agent = await findAgent(deps, place, {
      agent: to,
      at,
      cwd: state.workspace.cwd,
      env: await store.env(state.id),
      caller_env: callers.newest(state.id) ?? {},
      env_from: first?.definition.agent === to ? first.definition.env_from : {},
    });
    if (agent.login === "no")
      return {
        kind: "unfit",
        code: "not_logged_in",
        message: `Nobody is logged in to ${to} here.`,
      };
    return { kind: "fit", abilities: presumed(agent) };
  } catch (error) {
    if (!(error instanceof RepriseError) || !UNFIT.has(error.code)) throw error;
    return { kind: "unfit", code: error.code, message: error.message };
  }
};

const UNFIT: ReadonlySet<string> = new Set([
  "unknown_agent",
  "agent_not_installed",
]);

/** What was chosen for the agent that the session has is not loosened. What was chosen for the first agent waits for it. */
const notHeldBy = (
  { agent: { definition }, quotas: { first } }: State,
  to: AgentId,
): Unfit | null => {
  if (first?.definition.agent === to) return null;
  const restriction = lostByHandoff(definition, {});
  return restriction === null
    ? null
    : {
        kind: "unfit",
        code: "restriction_not_held",
        message: explainRestriction(restriction),
      };
};

const definitionFor = (
  { overrides }: Pick<ReactorDeps, "overrides">,
  { agent: { definition }, quotas: { first } }: State,
  to: AgentId,
): AgentDefinition =>
  first?.definition.agent === to
    ? returnedDefinition(definition, first.definition)
    : {
        ...handedDefinition(definition, {}),
        agent: to,
        home:
          definition.sandbox === undefined
            ? (overrides[to]?.home ?? definition.home)
            : "session",
      };
