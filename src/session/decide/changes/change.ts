/**
 * Changes to a session while it lives.
 *
 *     no agent runs ──► changed: the next start applies it
 *     one runs      ──► requested ──► the agent confirms  ──► changed
 *                                 ├─► the agent refuses   ──► refused: nothing was changed
 *                                 └─► it ends, or its agentctl knows no such order ──► changed: the next start applies it
 */
import {
  type AgentSettings,
  SETTINGS,
  withSettings,
} from "../../../contract/agent/agent-settings.ts";
import { categoryOf, type Offered } from "../../../contract/agent/offered.ts";
import type { ReportItem } from "../../../contract/link/report.ts";
import { isTerminal } from "../../../contract/session/state.ts";
import { type PendingChange, pendingChange } from "../../state/changes.ts";
import type { Command } from "../../state/command.ts";
import type { State } from "../../state/state.ts";
import { isSame } from "../change-definition.ts";
import type { Decision } from "../decision.ts";
import type { Draft } from "../draft.ts";
import { goOnAfter, recordBudget } from "../prompts.ts";
import { noteBudget } from "../turn.ts";

type Item<K extends ReportItem["kind"]> = Extract<ReportItem, { kind: K }>;

export const change = (
  draft: Draft,
  { changes }: Extract<Command, { type: "session.change" }>,
): Decision => {
  const { agent, lifecycle } = draft.state;
  const { name, ...others } = changes;
  const isMore = Object.values(others).some((value) => value !== undefined);
  if (isMore && isTerminal(lifecycle.name))
    return draft.refuse(
      "session_ended",
      "The session has ended: its agent does not start again. Only its name can be changed.",
      "ended",
    );
  const { on_interrupt, on_quota, budget, ...asked } = others;
  const settings = byCategory(asked, agent.offered);
  const session = {
    ...(name !== undefined && { name }),
    ...(on_interrupt !== undefined && { on_interrupt }),
    ...(on_quota !== undefined && { on_quota }),
    ...(budget !== undefined && { budget }),
  };
  if (namesIn(settings).length > 0 && needsConfirming(draft.state))
    draft.emit({
      type: "session.change.requested",
      data: { change: agent.changes.last + 1, ...session, ...settings },
    });
  else {
    const before = draft.state;
    changeSession(draft, session);
    const definition = withSettings(agent.definition, settings);
    if (!isSame(definition, agent.definition))
      draft.emit({ type: "session.definition.changed", data: { definition } });
    goOnAfter(draft, before);
  }
  return draft.done();
};

/** One that is being stopped is told nothing, unless there is something that it was to be told before. */
const needsConfirming = ({ execution, agent }: State): boolean =>
  agent.changes.pending.length > 0 ||
  (execution !== null && execution.phase.kind !== "stopping");

/** An option that is the agent's choice of models or modes is its model or its mode, however it is named. */
const byCategory = (
  { options, ...settings }: AgentSettings,
  offered: Offered | null,
): AgentSettings => {
  const others: Record<string, string> = {};
  const named: AgentSettings = {};
  for (const [id, value] of Object.entries(options ?? {})) {
    const option = offered?.options.find((each) => each.id === id);
    const category = option && categoryOf(option);
    if (category === "model" || category === "mode") named[category] = value;
    else others[id] = value;
  }
  return {
    ...named,
    ...settings,
    ...(Object.keys(others).length > 0 && { options: others }),
  };
};

const namesIn = (settings: AgentSettings) =>
  SETTINGS.filter((name) => settings[name] !== undefined);

const changeSession = (
  draft: Draft,
  {
    name,
    on_interrupt,
    on_quota,
    budget,
  }: Pick<PendingChange, "name" | "on_interrupt" | "on_quota" | "budget">,
): void => {
  if (budget !== undefined) recordBudget(draft, budget);
  const { created } = draft.state;
  const data = {
    ...(name !== undefined && name !== created.name && { name }),
    ...(on_interrupt !== undefined &&
      on_interrupt !== created.on_interrupt && { on_interrupt }),
    ...(on_quota !== undefined &&
      on_quota !== created.on_quota && { on_quota }),
  };
  if (Object.keys(data).length > 0)
    draft.emit({ type: "session.changed", data });
};

/** A change that is over already was told before. */
export const recordApplied = (
  draft: Draft,
  { change, applied, offered }: Item<"change_applied">,
): void => {
  const pending = pendingChange(draft.state.agent.changes, change);
  if (pending === undefined) return;
  const before = draft.state;
  fulfil(draft, pending, { applied, offered });
  goOnAfter(draft, before);
};

export const recordRefused = (
  draft: Draft,
  { change, restriction }: Item<"change_refused">,
): void => {
  if (pendingChange(draft.state.agent.changes, change) !== undefined)
    draft.emit({
      type: "session.change.refused",
      data: { change, restriction },
    });
};

/** The agentctl of the agent knows no such order. */
export const keep = (
  draft: Draft,
  { change }: Extract<Command, { type: "change.keep" }>,
): Decision => {
  const pending = pendingChange(draft.state.agent.changes, change);
  if (pending === undefined) return draft.done();
  const before = draft.state;
  fulfil(draft, pending, { at_next_start: namesIn(pending) });
  draft.notice(
    "warning",
    "change_at_next_start",
    "The agent was started by an older release and cannot be told of the change while it runs. It applies when the agent is next started.",
  );
  goOnAfter(draft, before);
  return draft.done();
};

/** The execution has ended: what its agent was to be told is applied by the next start, and prompts go on as after every end. */
export const keepPending = (draft: Draft): void => {
  const { agent, lifecycle } = draft.state;
  const { pending } = agent.changes;
  for (const each of pending) fulfil(draft, each, {});
  if (pending.length > 0 && !isTerminal(lifecycle.name)) noteBudget(draft);
};

const fulfil = (
  draft: Draft,
  pending: PendingChange,
  how: Partial<Pick<Item<"change_applied">, "applied" | "offered">> & {
    at_next_start?: ReturnType<typeof namesIn>;
  },
): void => {
  changeSession(draft, pending);
  draft.emit({
    type: "session.definition.changed",
    data: {
      definition: withSettings(draft.state.agent.definition, pending),
      change: pending.change,
      ...how,
    },
  });
};
