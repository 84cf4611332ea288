/** What events tell of the quotas of agents. */
import type { AgentId } from "../../contract/agent/agent.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { laterThan } from "../../kit/time/elapsed.ts";
import {
  filled,
  passedOver,
  proven,
  type Quotas,
  usedUp,
} from "../state/quota/quotas.ts";
import type { Cut, State } from "../state/state.ts";

/** How a turn was cut off. A time that has passed already tells nothing (SES-27). */
export const cutBy = ({
  at,
  data: { limit },
}: EventOf<"session.turn.interrupted">): Cut => ({
  kind: "interrupted",
  by_quota: limit !== undefined,
  not_before: laterThan(at, limit?.resets_at ?? null),
});

/** The agent said that its quota is used up. */
export const withUsedUp = (
  state: State,
  { at, data: { limit } }: EventOf<"session.turn.interrupted">,
): State => {
  if (limit === undefined) return state;
  const { agent } = state.agent.definition;
  return inQuotas(state, (quotas) =>
    usedUp(quotas, agent, at, limit.resets_at),
  );
};

/** An agent that has done its work has a quota. */
export const withProven = (
  state: State,
  { outcome }: EventDataOf<"session.turn.ended">,
): State =>
  outcome === "failed"
    ? state
    : inQuotas(state, (quotas) => proven(quotas, state.agent.definition.agent));

/** Where somebody has the agent tried before the time, a turn that waits for the time goes on as well. */
export const withFilled = (
  state: State,
  { agent, by_hand = false }: EventDataOf<"session.quota.filled">,
): State => {
  const after = inQuotas(state, (quotas) => filled(quotas, agent));
  return by_hand ? withoutTime(after, agent) : after;
};

const withoutTime = (state: State, agent: AgentId): State => ({
  ...state,
  prompts: {
    ...state.prompts,
    unresolved: state.prompts.unresolved.map((cut) =>
      cut.kind === "interrupted" && cut.by_quota && cut.agent === agent
        ? { ...cut, not_before: null }
        : cut,
    ),
  },
});

export const withPassedOver = (
  state: State,
  { agent }: EventDataOf<"session.quota.passed_over">,
): State => inQuotas(state, (quotas) => passedOver(quotas, agent));

/** Who goes back to whom after a handoff. A person who hands a session off decides whose it is. */
export const firstAfter = (
  { quotas, agent: { definition, abilities } }: State,
  data: EventDataOf<"session.handed_off">,
): Quotas["first"] => {
  if (data.quota === undefined) return null;
  const first = quotas.first ?? { definition, abilities };
  return first.definition.agent === data.definition.agent ? null : first;
};

export const inQuotas = (
  state: State,
  change: (quotas: Quotas) => Quotas,
): State => ({ ...state, quotas: change(state.quotas) });
