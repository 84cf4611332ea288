/**
 * How a prompt stands: the one answer of the SDK, the MCP and ACP doors and the command line. Pure.
 *
 *   queued ──► running ◄─► needs_permission ──► ended (completed · cancelled · refused · failed)
 *     │           └──► cut off ──► goes_on ──► continued by another prompt, which then stands for it
 *     │                   └──────► interrupted · uncertain: somebody has to decide
 *     ├──► waits: for a quota, or behind a turn that goes on by itself ──► running
 *     ├──► withdrawn
 *     └──► paused · start_failed · budget_reached · session_ended · session_deleted: nobody takes it up by itself
 *
 * The events of the session tell all of this but for what the server decides: whether a turn that was cut off goes on by
 * itself (`goes_on`), when prompts that a quota holds begin, and whether more has happened since a session came to rest. `needsView` says when a view of
 * the session has to be read for them. A view and the events that led to it give the same answer.
 */
import type { PermissionId, PromptId } from "../../contract/base/id.ts";
import type { EventOf } from "../../contract/event/event.ts";
import { isTerminal } from "../../contract/session/state.ts";
import {
  isAtRest,
  type Cut,
  type Phase,
  type Prompts,
  type View,
} from "./prompt-phases.ts";

export type PromptStatus =
  | { kind: "queued" | "running" | "needs_permission" }
  /** Cut off, and the session goes on with it by itself: at this time, or as soon as it can. */
  | { kind: "goes_on"; at: string | null }
  /** Queued, and held by a quota: it begins by itself at this time, or as soon as it can. */
  | { kind: "waits"; until: string | null }
  | { kind: "ended"; end: EventOf<"session.turn.ended">["data"] }
  | { kind: "interrupted"; cut: Cut | null }
  | { kind: "uncertain"; cut: EventOf<"session.prompt.uncertain">["data"] }
  | {
      kind:
        | "withdrawn"
        | "paused"
        | "start_failed"
        | "budget_reached"
        | "session_ended"
        | "session_deleted";
    };

/** The prompt that stands for this one now: the last of those that continue it. */
export const newestPrompt = (
  prompts: Pick<Prompts, "phases">,
  prompt: PromptId,
): PromptId => {
  const phase = prompts.phases.get(prompt);
  return phase?.kind === "continued" ? newestPrompt(prompts, phase.by) : prompt;
};

/** How a prompt stands, as far as is known. One whose queueing was not seen yet is queued, whatever the session does. */
export const statusOf = (prompts: Prompts, prompt: PromptId): PromptStatus => {
  const phase = phaseOf(prompts, prompt);
  switch (phase?.kind) {
    case undefined:
    case "continued":
      return QUEUED;
    case "queued":
      return whileQueued(prompts);
    case "running":
      return whileRunning(prompts, phase.asked);
    case "withdrawn":
      return { kind: "withdrawn" };
    case "ended":
    case "uncertain":
      return phase;
    case "cut":
      return onceCut(prompts, newestPrompt(prompts, prompt), phase.cut);
  }
};

/** Whether the session has to be read before `statusOf` can be believed. */
export const needsView = (prompts: Prompts, prompt: PromptId): boolean => {
  const phase = phaseOf(prompts, prompt);
  const { seq, recheckSeq, view } = prompts;
  const known = view?.last_seq ?? 0;
  if (phase?.kind === "queued")
    return known < recheckSeq.queued || (mayHavePassed(prompts) && known < seq);
  if (phase?.kind !== "cut") return false;
  const entry = entryOf(view, newestPrompt(prompts, prompt));
  return (
    known < Math.max(recheckSeq.cut, phase.seq) ||
    (known < seq && entry === undefined)
  );
};

/** Somebody works on it, or will without being asked. */
export const isOpen = ({ kind }: PromptStatus): boolean =>
  kind === "queued" ||
  kind === "running" ||
  kind === "needs_permission" ||
  kind === "goes_on" ||
  kind === "waits";

/** More has happened since than the events tell that are taken into account. */
export const isBehind = ({ seq, view }: Prompts): boolean =>
  view !== null && view.last_seq > seq;

const phaseOf = (prompts: Prompts, prompt: PromptId): Phase | undefined =>
  prompts.phases.get(newestPrompt(prompts, prompt));

const mayHavePassed = ({ state }: Prompts): boolean =>
  isAtRest(state) && !isTerminal(state);

const whileQueued = (prompts: Prompts): PromptStatus => {
  const { state, isBudgetReached, isDeleted } = prompts;
  if (isDeleted) return { kind: "session_deleted" };
  if (isTerminal(state)) return { kind: "session_ended" };
  if (isBehind(prompts)) return QUEUED;
  if (state === "ERROR") return onceFailed(prompts);
  if (isBudgetReached) return { kind: "budget_reached" };
  if (state === "RUNNING") return QUEUED;
  const until = prompts.view?.quota.prompts_wait_until ?? null;
  if (until !== null) return { kind: "waits", until };
  return state === "PAUSED" ? whilePaused(prompts) : QUEUED;
};

/** What waits for a quota goes on also where somebody paused the session, and the prompts behind it after that. */
const whilePaused = ({ view }: Prompts): PromptStatus => {
  const [first] = (view?.unresolved_prompts ?? []).flatMap(
    ({ goes_on }) => goes_on ?? [],
  );
  return first === undefined
    ? { kind: "paused" }
    : { kind: "waits", until: first.at };
};

/** Another agent may take the place of one that was to stand in. */
const onceFailed = ({ seq, view }: Prompts): PromptStatus => {
  const next = view?.last_seq === seq ? view.quota.next_agent : null;
  return next === null
    ? { kind: "start_failed" }
    : { kind: "goes_on", ...next };
};

const whileRunning = (
  { state, isDeleted }: Prompts,
  asked: ReadonlySet<PermissionId>,
): PromptStatus => {
  if (isDeleted) return { kind: "session_deleted" };
  if (isTerminal(state)) return { kind: "session_ended" };
  return { kind: asked.size === 0 ? "running" : "needs_permission" };
};

const onceCut = (
  prompts: Prompts,
  prompt: PromptId,
  cut: Cut | null,
): PromptStatus => {
  const entry = entryOf(prompts.view, prompt);
  const goesOn = entry?.goes_on ?? null;
  if (goesOn !== null) return { kind: "goes_on", at: goesOn.at };
  // It waits for no decision any more: the event that tells which it was is still to come.
  return entry === undefined && isBehind(prompts)
    ? { kind: "goes_on", at: null }
    : { kind: "interrupted", cut };
};

const entryOf = (view: View | null, prompt: PromptId) =>
  view?.unresolved_prompts.find(({ id }) => id === prompt);

const QUEUED = { kind: "queued" } as const;
