/** Rewinds, forks and imports: which turns the session goes on from, and which memory the agent must get back. */
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import { canUndoRewind } from "../state/rewind.ts";
import type { DueCheckpoint, QueuedPrompt, State } from "../state/state.ts";
import { noToolCalls } from "../state/tool-calls.ts";
import { begunBy, countLeftBehind, lastTurnOnLine } from "../state/turns.ts";
import { withInjection, withoutMemory } from "./agent.ts";
import { withDue } from "./checkpoints.ts";

export const forked = (
  state: State,
  {
    parent,
    turns = parent.turn,
    cut = [],
    memory,
  }: EventDataOf<"session.forked">,
): State => ({
  ...withDue(state, null),
  // The agent of the parent booted, and this one goes on from it.
  agent: { ...state.agent, memory, booted: parent.turn > 0 },
  prompts: withInjection(state, memory === null && parent.turn > 0),
  turns: { ...state.turns, last: parent.turn, over: turns, cut },
  output: { ...state.output, tools: noToolCalls, open_message: null },
});

export const rewindRequested = (
  state: State,
  rewinding: EventDataOf<"session.rewind.requested">,
): State => ({
  ...state,
  checkpoints: {
    ...state.checkpoints,
    rewinding,
    due: { kind: "rewind", turn: lastTurnOnLine(state.turns) },
  },
});

export const rewound = (
  state: State,
  { turn, from_turn, checkpoint_id, memory }: EventDataOf<"session.rewound">,
): State => {
  const { checkpoints, turns, prompts } = state;
  const undo_id = canUndoRewind(state)
    ? (checkpoints.newest?.id ?? null)
    : null;
  const forgot = withoutMemory(state);
  const after: State = {
    ...forgot,
    agent: { ...forgot.agent, memory },
    prompts: {
      ...withInjection(state, memory === null && turn > 0),
      // A prompt that was given back had begun a turn, which is left behind as well: it begins another.
      queue: prompts.queue.map((prompt) => ({ ...prompt, turn: null })),
      unresolved: [],
      continuations: 0,
    },
    turns: {
      ...turns,
      withdrawn: [...turns.withdrawn, ...prompts.queue.flatMap(begunBy)],
      rewinds: [
        ...turns.rewinds,
        { at: from_turn, to: turn, checkpoint_id, undo_id },
      ],
    },
    checkpoints: {
      ...checkpoints,
      rewinding: null,
      // What the workspace holds now was captured long ago, or never: in a shared directory it is a mixture.
      due: checkpoints.enabled ? { kind: "pause", turn } : null,
    },
    // They were said in a turn that was left behind.
    output: { ...state.output, last_words: null },
  };
  return {
    ...after,
    turns: { ...after.turns, left_behind: countLeftBehind(after) },
  };
};

export const withdraw = (state: State, prompt_id: PromptId): State => {
  const { prompts, turns } = state;
  const isMeant = ({ id }: QueuedPrompt) => id === prompt_id;
  const begun = prompts.queue.filter(isMeant).flatMap(begunBy);
  return {
    ...state,
    prompts: {
      ...prompts,
      queue: prompts.queue.filter((prompt) => !isMeant(prompt)),
    },
    turns: { ...turns, withdrawn: [...turns.withdrawn, ...begun] },
  };
};

/** A rewind that broke off leaves a mixture, which is in no checkpoint yet. */
export const rewindFailed = (
  state: State,
  { undo_id }: EventDataOf<"session.rewind.failed">,
): State => {
  const { checkpoints, turns } = state;
  const due: DueCheckpoint | null =
    undo_id !== undefined && checkpoints.enabled
      ? { kind: "pause", turn: lastTurnOnLine(turns) }
      : checkpoints.due;
  return { ...state, checkpoints: { ...checkpoints, rewinding: null, due } };
};

/** They are names of variables of the server it comes from, and would be looked up in the environment of this one. */
const withoutVariables = (definition: AgentDefinition): AgentDefinition => {
  const { env_from: _, ...others } = definition;
  return others;
};

export const imported = (
  state: State,
  { cwd, memory, place = LOCAL }: EventDataOf<"session.imported">,
): State => ({
  ...state,
  workspace: { place, cwd, worktree: null, shared: false },
  agent: {
    ...state.agent,
    definition: withoutVariables(state.agent.definition),
    memory,
  },
  quotas: {
    ...state.quotas,
    first: state.quotas.first && {
      ...state.quotas.first,
      definition: withoutVariables(state.quotas.first.definition),
    },
  },
  execution: null,
  executions_so_far: { ...state.executions_so_far, last_ended_id: null },
  agentctl: null,
  checkpoints: { ...state.checkpoints, due: null, rewinding: null },
});
