/** What the events of a session tell of its prompts. `prompt-status.ts` says what that comes to. Pure. */
import type { PermissionId, PromptId } from "../../contract/base/id.ts";
import type { Event, EventOf } from "../../contract/event/event.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import type { Session } from "../../contract/session/session.ts";
import { isTerminal, type StateName } from "../../contract/session/state.ts";

/** The event with which a turn was over or cut off. */
export type TurnEnd = EventOf<
  "session.turn.ended" | "session.turn.interrupted" | "session.prompt.uncertain"
>;

/** Why a turn was cut off; null where only the session told that it was. */
export type Cut = EventOf<"session.turn.interrupted">["data"];

export type Phase =
  | { kind: "queued" | "withdrawn" }
  | { kind: "running"; turn: number; asked: ReadonlySet<PermissionId> }
  | { kind: "ended"; end: EventOf<"session.turn.ended">["data"] }
  | { kind: "uncertain"; cut: EventOf<"session.prompt.uncertain">["data"] }
  | { kind: "cut"; seq: number; cut: Cut | null }
  | { kind: "continued"; by: PromptId };

/** What a view of the session adds to its events. */
export type View = Pick<Session, "last_seq" | "unresolved_prompts" | "quota">;

/** What is known of the prompts of a session. */
export interface Prompts {
  /** The newest event that is taken into account. */
  seq: number;
  state: StateName;
  isBudgetReached: boolean;
  isDeleted: boolean;
  phases: ReadonlyMap<PromptId, Phase>;
  /** The newest event after which a view has to be read again: for turns that were cut off, and for prompts that wait. */
  recheckSeq: { cut: number; queued: number };
  view: View | null;
}

/** Before the first event of a session. */
export const noPrompts: Prompts = {
  seq: 0,
  state: "CREATED",
  isBudgetReached: false,
  isDeleted: false,
  phases: new Map(),
  recheckSeq: { cut: 0, queued: 0 },
  view: null,
};

/** As a session stands, with the prompts that wait and those that were cut off and go on by themselves. */
export const promptsOf = (session: Session): Prompts => ({
  seq: session.last_seq,
  state: session.state,
  isBudgetReached: (session.budget?.reached ?? null) !== null,
  isDeleted: session.deleted_at !== null,
  phases: new Map<PromptId, Phase>([
    ...session.unresolved_prompts
      .filter(({ state }) => state === "interrupted")
      .map(({ id }) => [id, CUT] as const),
    ...session.queued_prompts.map(({ id }) => [id, QUEUED] as const),
  ]),
  recheckSeq: { cut: 0, queued: 0 },
  view: session,
});

/**
 * With one prompt, as it was read after the session. `end` is the event that ended its turn. It counts where the prompt says
 * so too: what was read between the two may lack the last words of the turn.
 */
export const withPrompt = (
  prompts: Prompts,
  { id, state, turn }: Prompt,
  end: TurnEnd | null,
  pending: readonly { id: PermissionId; turn: number }[],
): Prompts => {
  if (state === "cancelled") return withPhase(prompts, id, WITHDRAWN);
  if (state === "queued" && prompts.phases.has(id)) return prompts;
  const isOver =
    state !== "queued" && state !== "delivered" && state !== "running";
  if (isOver && end !== null) return withPhase(prompts, id, atEnd(end));
  const asked = pending.filter((each) => each.turn === turn);
  return withPhase(prompts, id, running(turn ?? 0, asked));
};

/** With a prompt that somebody waits for anew. */
export const withQueued = (prompts: Prompts, prompt: PromptId): Prompts =>
  withPhase(prompts, prompt, QUEUED);

export const withView = (prompts: Prompts, view: View): Prompts => ({
  ...prompts,
  view,
});

export const afterEvent = (before: Prompts, event: Event): Prompts => {
  const prompts = {
    ...before,
    seq: event.seq,
    recheckSeq: {
      cut: mayStopGoingOn(event) ? event.seq : before.recheckSeq.cut,
      queued: mayHoldOrFree(event) ? event.seq : before.recheckSeq.queued,
    },
  };
  switch (event.type) {
    case "session.state_changed":
      return { ...prompts, state: event.data.to };
    case "session.budget.reached":
      return { ...prompts, isBudgetReached: true };
    case "session.budget.changed":
      return { ...prompts, isBudgetReached: false };
    case "session.deleted":
      return { ...prompts, isDeleted: true };
    case "session.undeleted":
      return { ...prompts, isDeleted: false };
    case "session.prompt.queued":
    case "session.prompt.requeued":
      return withPhase(prompts, event.data.prompt_id, QUEUED);
    case "session.prompt.cancelled":
      return withPhase(prompts, event.data.prompt_id, WITHDRAWN);
    case "session.prompt.resolved":
      return withPhase(prompts, event.data.prompt_id, resolved(event.data));
    case "session.turn.started":
      return withPhase(
        prompts,
        event.data.prompt_id,
        running(event.data.turn, []),
      );
    case "session.turn.ended":
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return withPhase(prompts, event.data.prompt_id, atEnd(event));
    case "session.permission.requested":
      return event.data.answered_by === undefined
        ? asking(prompts, event.data.permission)
        : prompts;
    case "session.permission.answered":
    case "session.permission.closed":
      return answered(prompts, event.data.id);
    default:
      return prompts;
  }
};

const atEnd = (event: TurnEnd): Phase => {
  switch (event.type) {
    case "session.turn.ended":
      return { kind: "ended", end: event.data };
    case "session.turn.interrupted":
      return { kind: "cut", seq: event.seq, cut: event.data };
    case "session.prompt.uncertain":
      return { kind: "uncertain", cut: event.data };
  }
};

/** After such an event a turn that was to go on by itself may need somebody. */
const mayStopGoingOn = (event: Event): boolean => {
  switch (event.type) {
    case "session.state_changed":
      return isAtRest(event.data.to);
    case "session.notice":
      return event.data.code === "continuation_limit";
    // Another turn: the one that was cut off is not continued any more.
    case "session.turn.started":
    case "session.budget.reached":
    case "session.budget.changed":
    case "session.quota.passed_over":
    case "session.changed":
    case "session.rewound":
    case "session.deleted":
    // It is being paused.
    case "session.execution.stopping":
      return true;
    default:
      return false;
  }
};

/** After such an event a quota may hold prompts that wait, or hold them no more. */
const mayHoldOrFree = (event: Event): boolean => {
  switch (event.type) {
    case "session.state_changed":
      return isAtRest(event.data.to) || isAtRest(event.data.from);
    case "session.turn.interrupted":
      return event.data.limit !== undefined;
    case "session.notice":
      return event.data.code === "prompts_wait";
    case "session.quota.filled":
    case "session.handed_off":
    case "session.changed":
    case "session.budget.reached":
    case "session.budget.changed":
    case "session.undeleted":
      return true;
    default:
      return false;
  }
};

/** What is sent again is a prompt of its own. */
const resolved = ({
  action,
  by,
}: EventOf<"session.prompt.resolved">["data"]): Phase =>
  action === "continue" && by !== null ? { kind: "continued", by } : WITHDRAWN;

const asking = (
  prompts: Prompts,
  { id, turn }: { id: PermissionId; turn: number },
): Prompts => {
  for (const [prompt, phase] of prompts.phases)
    if (phase.kind === "running" && phase.turn === turn)
      return withPhase(prompts, prompt, {
        ...phase,
        asked: new Set([...phase.asked, id]),
      });
  return prompts;
};

const answered = (prompts: Prompts, id: PermissionId): Prompts => {
  for (const [prompt, phase] of prompts.phases)
    if (phase.kind === "running" && phase.asked.has(id))
      return withPhase(prompts, prompt, {
        ...phase,
        asked: new Set([...phase.asked].filter((each) => each !== id)),
      });
  return prompts;
};

/** Sessions in these states take up nothing by themselves. */
export const isAtRest = (state: StateName): boolean =>
  state === "PAUSED" || state === "ERROR" || isTerminal(state);

const withPhase = (
  prompts: Prompts,
  prompt: PromptId,
  phase: Phase,
): Prompts => ({
  ...prompts,
  phases: new Map(prompts.phases).set(prompt, phase),
});

const running = (
  turn: number,
  asked: readonly { id: PermissionId }[],
): Phase => ({
  kind: "running",
  turn,
  asked: new Set(asked.map(({ id }) => id)),
});

const QUEUED = { kind: "queued" } as const;
const CUT = { kind: "cut", seq: 0, cut: null } as const;
const WITHDRAWN = { kind: "withdrawn" } as const;
