/** What is known of the quotas of the agents that a session has had, and who stands in for whom. */
import type {
  Abilities,
  AgentDefinition,
  AgentId,
} from "../../../contract/agent/agent.ts";
import { inUtc, laterBy, laterThan } from "../../../kit/time/elapsed.ts";

export interface Quotas {
  known: readonly AgentQuota[];
  /** The agent that the session goes back to, while another one stands in for it. */
  first: FirstAgent | null;
  /** Agents that could not stand in for the turn that was cut off last. */
  passed_over: readonly AgentId[];
}

export interface AgentQuota {
  agent: AgentId;
  /** The agent is not tried again before; null once that time has come. */
  until: string | null;
  /** The agent itself named this time. */
  is_told: boolean;
  /** How often it was used up since the agent last ended a turn well. */
  in_a_row: number;
}

export interface FirstAgent {
  definition: AgentDefinition;
  abilities: Abilities;
}

export const noQuotas: Quotas = { known: [], first: null, passed_over: [] };

export const isUsedUp = ({ known }: Quotas, agent: AgentId): boolean =>
  untilOf({ known }, agent) !== null;

export const untilOf = (
  { known }: Pick<Quotas, "known">,
  agent: AgentId,
): string | null => known.find((each) => each.agent === agent)?.until ?? null;

/** An agent that does not say when its quota is filled again is tried again after this time. */
const UNTOLD_MS = 60 * 60_000;

/** The quota of an agent is used up, and the agent named a time or did not. */
export const usedUp = (
  quotas: Quotas,
  agent: AgentId,
  at: string,
  resets_at: string | null,
): Quotas => {
  const before = quotas.known.find((each) => each.agent === agent);
  const in_a_row = (before?.in_a_row ?? 0) + 1;
  const named = namedTime(at, resets_at);
  const earliest = laterBy(at, leastMs(in_a_row));
  // A time that has come by the time we hear of it.
  const hasCome = named <= at && earliest <= at;
  const until = named < earliest ? earliest : named;
  const is_told = resets_at !== null && until === named;
  return {
    ...quotas,
    known: [
      ...quotas.known.filter((each) => each !== before),
      { agent, until: hasCome ? null : until, is_told, in_a_row },
    ],
  };
};

const namedTime = (at: string, resets_at: string | null): string => {
  if (resets_at === null) return inUtc(laterBy(at, UNTOLD_MS));
  return inUtc(laterThan(at, resets_at) ?? at);
};

const FIRST_LEAST_MS = 60_000;
const MAX_LEAST_MS = 60 * 60_000;

/**
 * What an agent says is believed the first time. One that says again and again that its quota is used up until the next
 * moment would be handed the session again and again.
 */
const leastMs = (in_a_row: number): number =>
  in_a_row === 1
    ? 0
    : Math.min(FIRST_LEAST_MS * 2 ** Math.min(in_a_row - 2, 10), MAX_LEAST_MS);

/** The time has come; whether the quota is really filled again shows when the agent is asked to work. */
export const filled = (quotas: Quotas, agent: AgentId): Quotas => ({
  ...quotas,
  known: quotas.known.map((each) =>
    each.agent === agent ? { ...each, until: null } : each,
  ),
});

/** The agent has ended a turn well: nothing that was known of its quota is true any more. */
export const proven = (quotas: Quotas, agent: AgentId): Quotas =>
  quotas.known.some((each) => each.agent === agent)
    ? {
        ...quotas,
        known: quotas.known.filter((each) => each.agent !== agent),
      }
    : quotas;

export const passedOver = (quotas: Quotas, agent: AgentId): Quotas => ({
  ...quotas,
  passed_over: [...quotas.passed_over.filter((each) => each !== agent), agent],
});

/** For the next turn, every agent is looked at again. */
export const lookedAtAgain = (quotas: Quotas): Quotas =>
  quotas.passed_over.length === 0 ? quotas : { ...quotas, passed_over: [] };
