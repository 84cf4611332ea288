/** What becomes of changes that were asked for, and what the agent offers after its updates. */
import { afterUpdate, bounded } from "../../contract/agent/offered-words.ts";
import {
  modelsIn,
  modesIn,
  nothingOffered,
  type Offered,
} from "../../contract/agent/offered.ts";
import { type InForce, modeIn } from "../../contract/agent/restriction.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import type { Changes } from "../state/changes.ts";
import type { State } from "../state/state.ts";
import { lookedAtAgain } from "../state/quota/quotas.ts";

export const changeRequested = (
  state: State,
  data: EventDataOf<"session.change.requested">,
): State =>
  withChanges(state, ({ pending, ...changes }) => ({
    ...changes,
    last: data.change,
    pending: [...pending, data],
  }));

/** More than anybody waits for at the same time. */
const REFUSED_KEPT = 100;

export const changeRefused = (
  state: State,
  { seq, data: { change } }: EventOf<"session.change.refused">,
): State =>
  withChanges(state, ({ refused, ...changes }) => ({
    ...without(changes, change),
    refused: [...refused, { change, seq }].slice(-REFUSED_KEPT),
  }));

/** The session itself: its name, and what becomes of turns that are cut off, by a quota or otherwise. */
export const sessionChanged = (
  state: State,
  { name, on_interrupt, on_quota }: EventDataOf<"session.changed">,
): State => ({
  ...state,
  created: {
    ...state.created,
    ...(name !== undefined && { name }),
    ...(on_interrupt !== undefined && { on_interrupt }),
    ...(on_quota !== undefined && { on_quota }),
  },
  // Agents that could not stand in are looked at again.
  quotas: on_quota === undefined ? state.quotas : lookedAtAgain(state.quotas),
});

/** What was confirmed for another definition says nothing about this one, unless the agent runs on with it. */
export const definitionChanged = (
  state: State,
  data: EventDataOf<"session.definition.changed">,
): State => {
  const { definition, change, applied = null, at_next_start } = data;
  const { agent } = state;
  const { offered = agent.offered } = data;
  const changes = without(agent.changes, change);
  return {
    ...state,
    agent:
      at_next_start === undefined
        ? { ...agent, definition, applied, offered, changes }
        : {
            ...agent,
            definition,
            changes: {
              ...changes,
              at_next_start: [
                ...new Set([...changes.at_next_start, ...at_next_start]),
              ],
            },
          },
  };
};

const without = <C extends Pick<Changes, "pending">>(
  changes: C,
  change: number | undefined,
): C => ({
  ...changes,
  pending: changes.pending.filter((each) => each.change !== change),
});

/** Nothing waits for the next start any more. */
export const withoutNextStart = (changes: Changes): Changes =>
  changes.at_next_start.length === 0
    ? changes
    : { ...changes, at_next_start: [] };

const withChanges = (
  state: State,
  change: (changes: Changes) => Changes,
): State => ({
  ...state,
  agent: { ...state.agent, changes: change(state.agent.changes) },
});

/** An agent may leave its mode by itself, as Claude does when its plan is accepted, and change what it offers. */
export const followUpdate = (
  state: State,
  { update }: EventDataOf<"session.agent.update">,
): State => {
  const { applied, offered } = state.agent;
  const before = offered ?? nothingOffered;
  const after = afterUpdate(before, update);
  if (after === before) return state;
  const isTold = offered !== null || after.options.length > 0;
  return {
    ...state,
    agent: {
      ...state.agent,
      offered: isTold ? bounded(after) : null,
      applied: applied && followed(applied, after, update),
    },
  };
};

const followed = (
  applied: InForce,
  offered: Offered,
  update: unknown,
): InForce => {
  const mode = modeIn(update) ?? modesIn(offered)?.current ?? null;
  const model = modelsIn(offered)?.current ?? null;
  return {
    ...applied,
    ...(mode !== null && { mode: { value: mode, held: "agent" } }),
    ...(model !== null && { model: { value: model, held: "agent" } }),
  };
};
