/** What checkpoints, rewinds and forks do to a state: which turns it goes on from, and what the agent must be given back. */
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import type {
  DueCheckpoint,
  QueuedPrompt,
  Rewind,
  State,
  Turns,
} from "../state/state.ts";
import { noToolCalls } from "../state/tool-calls.ts";

export const captured = (state: State, checkpoint: Checkpoint): State => {
  const { due, newest } = state.checkpoints;
  return {
    ...state,
    checkpoints: {
      ...state.checkpoints,
      due: isThe(due, checkpoint) ? null : due,
      newest: checkpoint.tree === null ? newest : checkpoint,
      failure: checkpoint.outcome === "failed" ? checkpoint.reason : null,
      secured_at: checkpoint.at,
    },
  };
};

export const withDue = (state: State, due: DueCheckpoint | null): State => ({
  ...state,
  checkpoints: { ...state.checkpoints, due },
});

export const withoutDue = (state: State, skipped: DueCheckpoint): State =>
  isThe(state.checkpoints.due, skipped) ? withDue(state, null) : state;

/** Whether the turn is the same was decided. Journals of older releases name another one after a rewind. */
const isThe = (due: DueCheckpoint | null, { kind }: DueCheckpoint) =>
  due?.kind === kind;

/** An agent that was stopped leaves what is there now: the person may have worked on it since the last turn. */
export const dueAtEnd = (state: State): DueCheckpoint | null => {
  const { enabled, due } = state.checkpoints;
  const phase = state.execution?.phase;
  const rests =
    phase?.kind === "stopping" &&
    (phase.reason === "paused" || phase.reason === "idle");
  const isFree = due === null || due.kind === "start";
  return rests && enabled && isFree
    ? { kind: "pause", turn: turnStoodAt(state.turns) }
    : due;
};

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
  // It was another session's agent that booted, and this one is to go on like it.
  agent: { ...state.agent, memory, booted: parent.turn > 0 },
  prompts: withInjection(state, memory === null && parent.turn > 0),
  turns: { ...state.turns, last: parent.turn, over: turns, cut },
  output: { ...state.output, tools: noToolCalls, open_message: null },
});

const withInjection = (
  { prompts }: Pick<State, "prompts">,
  inject: boolean,
): State["prompts"] => ({
  ...prompts,
  before_next: { ...prompts.before_next, inject },
});

export const rewindRequested = (
  state: State,
  rewinding: EventDataOf<"session.rewind.requested">,
): State => ({
  ...state,
  checkpoints: {
    ...state.checkpoints,
    rewinding,
    due: { kind: "rewind", turn: turnStoodAt(state.turns) },
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
      // What is there now was captured long ago, or never: in a shared directory it is a mixture.
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

/** Turns that were had and are not gone on from. Only a rewind changes their number. */
const countLeftBehind = (state: TurnLine): number => {
  const never = neverHad(state);
  const onLine = spansOf(state.turns).map(
    ({ first, last }) =>
      last - first + 1 - never.filter((t) => t >= first && t <= last).length,
  );
  return state.turns.last - never.length - onLine.reduce((a, b) => a + b, 0);
};

/** The turn that a prompt has begun before it was given back. */
const begunBy = ({ turn }: Pick<QueuedPrompt, "turn">): number[] =>
  turn === null ? [] : [turn];

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

/** What a rewind that broke off left is a mixture, and nobody has captured it. */
export const rewindFailed = (
  state: State,
  { undo_id }: EventDataOf<"session.rewind.failed">,
): State => {
  const { checkpoints, turns } = state;
  const due: DueCheckpoint | null =
    undo_id !== undefined && checkpoints.enabled
      ? { kind: "pause", turn: turnStoodAt(turns) }
      : checkpoints.due;
  return { ...state, checkpoints: { ...checkpoints, rewinding: null, due } };
};

/** How far a session has come, for whoever finds out what a rewind is to undo. */
export const seenOf = ({ turns, checkpoints }: State) => ({
  last_turn: turns.last,
  checkpoint_id: checkpoints.newest?.id ?? null,
});

/** What is there was captured for the rewind under way: whoever regrets it finds it again. */
export const canUndoRewind = ({
  checkpoints: { newest, secured_at },
}: Pick<State, "checkpoints">): boolean =>
  newest?.kind === "rewind" && newest.at === secured_at;

/** The agent knows nothing of this session any more, whatever it says. */
export const withoutMemory = (state: State): State => ({
  ...state,
  agent: {
    ...state.agent,
    token: null,
    last_message_id: null,
    transcript: null,
    memory: null,
  },
  prompts: withInjection(state, turnsKnown(state.turns) > 0),
});

export const imported = (
  state: State,
  { cwd, memory, place = LOCAL }: EventDataOf<"session.imported">,
): State => ({
  ...state,
  workspace: { place, cwd, worktree: null, shared: false },
  agent: { ...state.agent, memory },
  execution: null,
  executions: { ...state.executions, last_ended_id: null },
  agentctl: null,
  checkpoints: { ...state.checkpoints, due: null, rewinding: null },
});

/** How many turns the agent should know of: those that are over and were not left behind. */
export const turnsKnown = ({ over, left_behind }: Turns): number =>
  over - left_behind;

/** The turns on the line that were cut off, oldest first. */
export const turnsCut = (state: State): number[] => {
  const line = new Set(turnsOnLine(state));
  return state.turns.cut.filter((turn) => line.has(turn));
};

/** The turns that led to a turn, that one included, also where a rewind has left it behind since. */
export const turnsUpTo = (state: TurnLine, turn: number): number[] =>
  turnsOnLine({
    ...state,
    turns: {
      ...state.turns,
      last: turn,
      rewinds: state.turns.rewinds.filter(({ at }) => at < turn),
    },
  });

/** What tells which turns a session goes on from. */
export interface TurnLine {
  turns: Spanned & Pick<Turns, "withdrawn">;
  prompts: { queue: readonly Pick<QueuedPrompt, "turn">[] };
}

interface Spanned {
  last: number;
  rewinds: readonly Pick<Rewind, "at" | "to">[];
}

/** The turns the session goes on from, oldest first: neither those that a rewind left behind nor those that it never had. */
export const turnsOnLine = (state: TurnLine): number[] => {
  const never = new Set(neverHad(state));
  return lineOf(state.turns).filter((turn) => !never.has(turn));
};

/** Whether no rewind has left it behind. */
export const isOnLine = (turns: Spanned, turn: number): boolean =>
  turn === 0 || lineOf(turns).includes(turn);

/** The turn that the line ends with. Where nothing was said since the newest rewind, that is where it went to. */
export const turnStoodAt = ({ rewinds, last }: Spanned): number => {
  const newest = rewinds.at(-1);
  return newest?.at === last ? newest.to : last;
};

/** Turns that were begun and in which nothing was done: the prompt was given back. */
const neverHad = ({ turns, prompts }: TurnLine): number[] => [
  ...turns.withdrawn,
  ...prompts.queue.flatMap(begunBy),
];

const lineOf = (turns: Spanned): number[] =>
  spansOf(turns).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );

/** The line as spans of consecutive turns, oldest first. There are as many as rewinds, however many turns there are. */
const spansOf = (turns: Spanned) => {
  const { rewinds } = turns;
  const spans: { first: number; last: number }[] = [];
  let last = turnStoodAt(turns);
  while (last > 0) {
    const before = rewinds.findLast(({ at }) => at < last);
    spans.push({ first: (before?.at ?? 0) + 1, last });
    // A rewind goes back. One that does not, in a file from elsewhere, must not be followed for ever.
    last = before === undefined ? 0 : Math.min(before.to, before.at);
  }
  return spans.toReversed();
};
