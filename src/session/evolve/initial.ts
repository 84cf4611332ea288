import { LOCAL } from "../../contract/base/place.ts";
import type { EventOf } from "../../contract/event/event.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import { initialLine } from "../line/line.ts";
import { evolveTail } from "../line/tail.ts";
import { noQuotas } from "../state/quota/quotas.ts";
import type { State } from "../state/state.ts";
import { nothingChanged } from "../state/changed-lines.ts";
import { noChanges } from "../state/changes.ts";
import { wholeBudget } from "../state/limits/budget-state.ts";
import { noToolCalls } from "../state/tool-calls.ts";

/** The state after `session.created`. */
export const initialState = (event: EventOf<"session.created">): State => {
  const { data, at } = event;
  const isCheckpointed = data.checkpoints === true;
  return {
    id: event.session_id,
    created: {
      at,
      task_id: event.task_id,
      name: data.name,
      on_interrupt: data.on_interrupt,
      on_quota: data.on_quota ?? null,
      parent: data.parent,
      called_by: data.called_by ?? null,
    },
    seq: event.seq,
    times: { newest_at: at, last_active_at: at, last_wish_at: at },
    lifecycle: { name: "CREATED" },
    deleted_at: null,
    workspace: {
      place: data.place ?? LOCAL,
      cwd: data.cwd,
      worktree: data.worktree,
      shared: false,
    },
    agent: {
      definition: data.definition,
      abilities: data.abilities,
      applied: null,
      offered: null,
      changes: noChanges,
      limits_in_prompt: false,
      booted: false,
      resume: null,
      token: null,
      last_message_id: null,
      transcript: null,
      memory: null,
      context: null,
    },
    execution: null,
    executions_so_far: { epoch: 0, last_ended_id: null, lost_starts: 0 },
    quotas: noQuotas,
    agentctl: null,
    turns: {
      last: 0,
      over: 0,
      left_behind: 0,
      cut: [],
      withdrawn: [],
      rewinds: [],
      usage: null,
      changed: nothingChanged,
    },
    prompts: {
      queue: [],
      before_next: { inject: false, forgotten: 0, brief: false },
      unresolved: [],
      replacement: null,
      continued: [],
      continuations: 0,
    },
    permissions: { pending: [], answers: emptyMap },
    output: {
      open_message: null,
      tools: noToolCalls,
      last_words: null,
      first_prompt: null,
    },
    budget: wholeBudget(data.budget ?? null),
    line: evolveTail(initialLine, event),
    checkpoints: {
      enabled: isCheckpointed,
      due: isCheckpointed ? { kind: "baseline", turn: 0 } : null,
      newest: null,
      failure: null,
      found: null,
      secured_at: at,
      rewinding: null,
    },
  };
};
