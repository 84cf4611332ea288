import type { TaskId } from "../contract/base/id.ts";
import type { ProblemCode } from "../contract/problem/problem-codes.ts";
import type { NewTaskEvent, TaskEvent } from "../contract/task/task-event.ts";
import type { TaskState } from "../contract/task/task.ts";
import { evolve } from "./evolve.ts";
import type { State } from "./state.ts";
import { taskState } from "./task-state.ts";

/** What comes of a command: events, perhaps none, or a refusal. Both are values. */
export type Decision =
  { kind: "events"; events: readonly TaskEvent[]; after: State } | Refusal;

export interface Refusal {
  kind: "refused";
  code: ProblemCode;
  detail: string;
  state: TaskState;
}

/** A decision in the making: each event is folded in as it is emitted, so the next step sees the state it left. */
export class Draft {
  readonly at: string;
  readonly #id: TaskId;
  #state: State | null;
  readonly #events: TaskEvent[] = [];

  constructor(state: State | null, id: TaskId, at: string) {
    this.#state = state;
    this.#id = id;
    this.at = at;
  }

  get state(): State {
    if (this.#state === null) throw new Error("nothing has been created yet");
    return this.#state;
  }

  emit(event: NewTaskEvent): void {
    const seq = (this.#state?.seq ?? 0) + 1;
    const full: TaskEvent = { ...event, seq, at: this.at, task_id: this.#id };
    this.#events.push(full);
    this.#state = evolve(this.#state, full);
  }

  refuse(code: ProblemCode, detail: string): Refusal {
    return {
      kind: "refused",
      code,
      detail,
      state: this.state.last_reported_state,
    };
  }

  /** The decision. A state that is another one than was reported last is reported (TSK-6). */
  done(): Decision {
    const { last_reported_state: from, sessions } = this.state;
    const to = taskState(this.state, sessions);
    if (from !== to)
      this.emit({ type: "task.state_changed", data: { from, to } });
    return { kind: "events", events: this.#events, after: this.state };
  }
}
