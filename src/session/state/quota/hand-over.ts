/**
 * What a session does when its agent's quota is used up (`on_quota`), as one decision over what is known of the quotas:
 *
 *   a turn was cut off by a quota    wait       it waits for a person
 *                                    continue   it goes on when the quota is filled again (`continuationOf`)
 *                                    handoff    the first agent of the order that is available goes on with it; where none
 *                                               is, the session waits for the quota that is filled first
 *   another agent stands in,         handoff    the session goes back to its first agent
 *   and the first is available
 *
 * The order is the agent that the session belongs to, then the list. An agent is available if its quota is not known to be
 * used up and it was not passed over.
 */
import type { AgentId } from "../../../contract/agent/agent.ts";
import { agentsOf, type OnQuota } from "../../../contract/agent/on-quota.ts";
import type { ResumeReason } from "../../../contract/agent/resume.ts";
import type { PromptId } from "../../../contract/base/id.ts";
import { newestCut, type InterruptedPrompt } from "../newest-cut.ts";
import { isUsedUp, untilOf } from "./quotas.ts";
import type { State } from "../state.ts";

/** What was said about quotas, or what `on_interrupt` means for them. */
export const onQuotaOf = ({ created }: Pick<State, "created">): OnQuota =>
  created.on_quota ?? created.on_interrupt;

export interface HandOver {
  to: AgentId;
  /** The prompt that goes on there; null where the session only changes hands. */
  prompt_id: PromptId | null;
  why: "used_up" | "filled" | "failed";
}

/** The hand-over that is to be made now, between two turns. */
export const handOverOf = (state: State): HandOver | null => {
  const order = orderOf(state);
  if (order === null || !mayChangeHands(state)) return null;
  const { agent: current } = state.agent.definition;
  const available = order.filter((agent) => isAvailable(state, agent));
  if (isStandInFailed(state)) {
    const to = available.find((agent) => agent !== current);
    return to === undefined ? null : { to, prompt_id: null, why: "failed" };
  }
  if (!isAtRest(state)) return null;
  const cut = cutByQuota(state);
  if (cut === null) {
    const to = state.quotas.first?.definition.agent;
    return to !== undefined && available.includes(to)
      ? { to, prompt_id: null, why: "filled" }
      : null;
  }
  const [to] = available;
  // A budget that is used up ends everything that goes on by itself.
  return to === undefined || to === current || state.budget.reached !== null
    ? null
    : { to, prompt_id: cut.id, why: "used_up" };
};

/** A turn that a quota cut off goes on with the agent that the session has: its turn has come in the order. */
export const isOwnQuotaFilled = (state: State): boolean =>
  orderOf(state)?.find((agent) => isAvailable(state, agent)) ===
  state.agent.definition.agent;

/** When an agent of the order is there for a turn that a quota cut off, null for now; null altogether where none is to be had. */
export const nextAgentAt = (
  state: State,
  except: AgentId | null = null,
): { at: string | null } | null => {
  const { quotas } = state;
  const times = (orderOf(state) ?? [])
    .filter((agent) => agent !== except && !quotas.passed_over.includes(agent))
    .map((agent) => untilOf(quotas, agent));
  if (times.length === 0) return null;
  const later = times.filter((time) => time !== null).toSorted();
  return { at: later.length < times.length ? null : (later[0] ?? null) };
};

/** When another agent takes the place of one that was to stand in and could not be started; null where none does. */
export const replacementAt = (state: State): { at: string | null } | null =>
  state.deleted_at === null && isStandInFailed(state)
    ? nextAgentAt(state, state.agent.definition.agent)
    : null;

/** When the next quota is filled again that the session waits for; null where it waits for none. */
export const quotaDueAt = (state: State): string | null => {
  const order = orderOf(state);
  if (order === null || state.deleted_at !== null) return null;
  if (handOverOf(state) !== null) return null;
  const awaited = awaitedAgents(state, order);
  return (
    awaited
      .flatMap((agent) => untilOf(state.quotas, agent) ?? [])
      .toSorted()[0] ?? null
  );
};

const awaitedAgents = (
  state: State,
  order: readonly AgentId[],
): readonly AgentId[] => {
  const { agent: current } = state.agent.definition;
  const { first, passed_over } = state.quotas;
  if (isStandInFailed(state))
    return order.filter(
      (agent) => agent !== current && !passed_over.includes(agent),
    );
  if (!isAtRest(state)) return [];
  if (cutByQuota(state) === null)
    return first === null ? [] : [first.definition.agent];
  return isOwnQuotaFilled(state)
    ? []
    : order.filter((agent) => !passed_over.includes(agent));
};

/** Prompts wait while a turn that a quota cut off is to go on before them, and while the session is to change hands. */
export const isHeldForQuota = (state: State): boolean =>
  orderOf(state) !== null &&
  (cutByQuota(state) !== null || handOverOf(state) !== null);

/** The prompt that a quota cut off and that goes on without anybody's doing, now or later. */
export const goesOnByItself = (state: State): PromptId | null =>
  onQuotaOf(state) === "wait" ? null : (cutByQuota(state)?.id ?? null);

/** The newest turn, where a quota cut it off and nobody has decided about it. */
const cutByQuota = (state: State): InterruptedPrompt | null => {
  const cut = newestCut(state);
  return cut?.by_quota === true ? cut : null;
};

/** Null where sessions are not handed over for quotas. */
const orderOf = (state: State): AgentId[] | null => {
  const others = agentsOf(onQuotaOf(state));
  if (others === null) return null;
  const { agent } = (state.quotas.first ?? state.agent).definition;
  return [agent, ...others.filter((each) => each !== agent)];
};

const isAvailable = ({ quotas }: State, agent: AgentId): boolean =>
  !isUsedUp(quotas, agent) && !quotas.passed_over.includes(agent);

const isAtRest = ({ lifecycle: { name } }: State): boolean =>
  name === "WAITING_FOR_INPUT" || name === "PAUSED";

/** The agent that was to stand in could not be started, and what it was to do waits. */
const isStandInFailed = ({ lifecycle, quotas, prompts }: State): boolean =>
  lifecycle.name === "ERROR" &&
  !NOT_THE_AGENT.has(lifecycle.code) &&
  quotas.first !== null &&
  prompts.queue.length > 0;

/** Where these are the reason, no other agent can be started either. */
const NOT_THE_AGENT: ReadonlySet<ResumeReason | undefined> = new Set([
  "agentctl_unavailable",
  "workspace_missing",
  "workspace_not_a_directory",
]);

/** As for a handoff that somebody asks for: what the last turn left is captured first. */
const mayChangeHands = ({
  deleted_at,
  checkpoints,
  execution,
}: State): boolean =>
  deleted_at === null &&
  checkpoints.rewinding === null &&
  checkpoints.due === null &&
  execution?.phase.kind !== "stopping";
