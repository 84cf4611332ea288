import type { Event, NewEvent, Origin } from "../../contract/event/event.ts";
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import type { GoneProcess } from "../../contract/session/process.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import type { ResumeReason } from "../../contract/agent/resume.ts";
import type { StateName, StateReason } from "../../contract/session/state.ts";
import { evolve } from "../evolve/evolve.ts";
import type { State } from "../state/state.ts";
import type { Decision, Refusal } from "./decision.ts";

/** What is known of why a session is in `ERROR`, besides the words. */
export interface ErrorFacts {
  restriction?: Restriction;
  code?: ResumeReason;
  failure?: string;
}

/**
 * A decision in the making: each event is folded in as it is emitted, so the next step sees the state it left.
 * It lives for one call of `decide` and touches nothing outside.
 */
export class Draft {
  readonly at: string;
  #state: State | null;
  readonly #events: Event[] = [];
  readonly #session: { session_id: SessionId; task_id: TaskId | null };
  #origin: Origin | undefined;

  constructor(
    state: State | null,
    session: { session_id: SessionId; task_id: TaskId | null },
    at: string,
  ) {
    this.#state = state;
    this.#session = session;
    this.at = at;
  }

  get state(): State {
    if (this.#state === null) throw new Error("nothing has been created yet");
    return this.#state;
  }

  get nextSeq(): number {
    return (this.#state?.seq ?? 0) + 1;
  }

  /** Events emitted during `work` stand for these bytes of the agent's output. */
  from(origin: Origin | null, work: () => void): void {
    this.#origin = origin ?? undefined;
    work();
    this.#origin = undefined;
  }

  emit(event: NewEvent): void {
    const full: Event = {
      ...event,
      ...(this.#origin === undefined ? {} : { origin: this.#origin }),
      ...this.#session,
      seq: this.nextSeq,
      at: this.at,
    };
    this.#events.push(full);
    this.#state = evolve(this.#state, full);
  }

  /** Says that the lifecycle went from `from` to where it stands, or moves it to `to`. Says nothing when it is the same. */
  changed(
    from: StateName,
    to: StateName,
    reason: StateReason,
    message: string | null = null,
    facts: ErrorFacts = {},
  ): void {
    if (from !== to)
      this.emit({
        type: "session.state_changed",
        data: {
          from,
          to,
          reason,
          message,
          ...facts,
        },
      });
  }

  notice(
    level: "info" | "warning" | "error",
    code: string,
    text: string,
    facts: { processes?: GoneProcess[] } = {},
  ): void {
    this.emit({
      type: "session.notice",
      data: { level, code, text, ...facts },
    });
  }

  /** `reason`: what status says of it, where that is the cause. */
  refuse(code: ProblemCode, detail: string, reason?: ResumeReason): Refusal {
    const state = this.state.lifecycle.name;
    return { kind: "refused", code, detail, state, ...(reason && { reason }) };
  }

  done(): Decision {
    return { kind: "events", events: this.#events, after: this.state };
  }
}
