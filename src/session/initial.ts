import type { EventOf } from "../contract/event.ts";
import type { State } from "./state.ts";

/** The state after `session.created`. */
export const initialState = (event: EventOf<"session.created">): State => {
  const { data } = event;
  return {
    id: event.session_id,
    task_id: event.task_id,
    name: data.name,
    definition: data.definition,
    executor: data.executor,
    cwd: data.cwd,
    worktree: data.worktree,
    on_interrupt: data.on_interrupt,
    parent: data.parent,
    created_at: event.at,
    seq: event.seq,
    last_active_at: event.at,
    lifecycle: { name: "CREATED" },
    epoch: 0,
    execution: null,
    last_execution_id: null,
    agentctl: null,
    last_turn: 0,
    turns_over: 0,
    queue: [],
    unresolved: [],
    continuations: 0,
    permissions: [],
    closed_permissions: [],
    tools: {},
    open_tools: [],
    open_message: null,
    token: null,
    abilities: data.abilities,
    transcript: null,
    lost_starts: 0,
    booted: false,
    inject: false,
    resume: null,
    usage: null,
    last_words: null,
  };
};
