/** What checkpoints, rewinds and forks do to a state: which turns it goes on from, and what the agent must be given back. */
import type { Checkpoint } from "../../contract/checkpoint.ts";
import type { EventDataOf } from "../../contract/event.ts";
import type { PromptId } from "../../contract/id.ts";
import { LOCAL } from "../../contract/place.ts";
import type { DueCheckpoint, QueuedPrompt, Rewind, State } from "./state.ts";
import { noToolCalls } from "./tool-calls.ts";

export const captured = (state: State, checkpoint: Checkpoint): State => ({
  ...state,
  due: isThe(state.due, checkpoint) ? null : state.due,
  checkpoint: checkpoint.tree === null ? state.checkpoint : checkpoint,
  capture_failure: checkpoint.outcome === "failed" ? checkpoint.reason : null,
  secured_at: checkpoint.at,
});

export const withoutDue = (state: State, skipped: DueCheckpoint): State =>
  isThe(state.due, skipped) ? { ...state, due: null } : state;

/** Whether the turn is the same was decided. Journals of older releases name another one after a rewind. */
const isThe = (due: DueCheckpoint | null, { kind }: DueCheckpoint) =>
  due?.kind === kind;

/** An agent that was stopped leaves what is there now: the person may have worked on it since the last turn. */
export const dueAtEnd = (state: State): DueCheckpoint | null => {
  const phase = state.execution?.phase;
  const rests =
    phase?.kind === "stopping" &&
    (phase.reason === "paused" || phase.reason === "idle");
  const isFree = state.due === null || state.due.kind === "start";
  return rests && state.checkpoints && isFree
    ? { kind: "pause", turn: turnStoodAt(state) }
    : state.due;
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
  ...state,
  memory,
  // It was another session's agent that booted, and this one is to go on like it.
  booted: parent.turn > 0,
  inject: memory === null && parent.turn > 0,
  last_turn: parent.turn,
  turns_over: turns,
  cut,
  tools: noToolCalls,
  open_message: null,
  due: null,
});

export const rewound = (
  state: State,
  { turn, from_turn, checkpoint_id, memory }: EventDataOf<"session.rewound">,
): State => {
  const after: State = {
    ...withoutMemory(state),
    memory,
    inject: memory === null && turn > 0,
    // A prompt that was given back had begun a turn, which is left behind as well: it begins another.
    queue: state.queue.map((prompt) => ({ ...prompt, turn: null })),
    withdrawn: [...state.withdrawn, ...state.queue.flatMap(begunBy)],
    rewinding: null,
    // What is there now was captured long ago, or never: in a shared directory it is a mixture.
    due: state.checkpoints ? { kind: "pause", turn } : null,
    rewinds: [
      ...state.rewinds,
      {
        at: from_turn,
        to: turn,
        checkpoint_id,
        undo_id: canUndoRewind(state) ? (state.checkpoint?.id ?? null) : null,
      },
    ],
    unresolved: [],
    continuations: 0,
    // They were said in a turn that was left behind.
    last_words: null,
  };
  return { ...after, left_behind: countLeftBehind(after) };
};

/** Turns that were had and are not gone on from. Only a rewind changes their number. */
const countLeftBehind = (state: State): number => {
  const never = neverHad(state);
  const onLine = spansOf(state).map(
    ({ first, last }) =>
      last - first + 1 - never.filter((t) => t >= first && t <= last).length,
  );
  return state.last_turn - never.length - onLine.reduce((a, b) => a + b, 0);
};

/** The turn that a prompt has begun before it was given back. */
const begunBy = ({ turn }: Pick<QueuedPrompt, "turn">): number[] =>
  turn === null ? [] : [turn];

export const withdraw = (state: State, prompt_id: PromptId): State => ({
  ...state,
  queue: state.queue.filter(({ id }) => id !== prompt_id),
  withdrawn: [
    ...state.withdrawn,
    ...state.queue.filter(({ id }) => id === prompt_id).flatMap(begunBy),
  ],
});

/** What a rewind that broke off left is a mixture, and nobody has captured it. */
export const rewindFailed = (
  state: State,
  { undo_id }: EventDataOf<"session.rewind.failed">,
): State => ({
  ...state,
  rewinding: null,
  due:
    undo_id !== undefined && state.checkpoints
      ? { kind: "pause", turn: turnStoodAt(state) }
      : state.due,
});

/** How far a session has come, for whoever finds out what a rewind is to undo. */
export const seenOf = ({ last_turn, checkpoint }: State) => ({
  last_turn,
  checkpoint_id: checkpoint?.id ?? null,
});

/** What is there was captured for the rewind under way: whoever regrets it finds it again. */
export const canUndoRewind = ({ checkpoint, secured_at }: State): boolean =>
  checkpoint?.kind === "rewind" && checkpoint.at === secured_at;

/** The agent knows nothing of this session any more, whatever it says. */
export const withoutMemory = (state: State): State => ({
  ...state,
  token: null,
  last_message_id: null,
  transcript: null,
  memory: null,
  inject: turnsKnown(state) > 0,
});

export const imported = (
  state: State,
  { cwd, memory, place = LOCAL }: EventDataOf<"session.imported">,
): State => ({
  ...state,
  place,
  cwd,
  memory,
  worktree: null,
  execution: null,
  last_execution_id: null,
  agentctl: null,
  shared: false,
  due: null,
  rewinding: null,
});

/** How many turns the agent should know of: those that are over and were not left behind. */
export const turnsKnown = (state: State): number =>
  state.turns_over - turnsLeftBehind(state);

/** How many turns a rewind has left behind. */
export const turnsLeftBehind = ({ left_behind }: State): number => left_behind;

/** Those of them that were cut off, oldest first. */
export const turnsCut = (state: State): number[] => {
  const line = new Set(turnsOnLine(state));
  return state.cut.filter((turn) => line.has(turn));
};

/** The turns that led to a turn, that one included, also where a rewind has left it behind since. */
export const turnsUpTo = (state: Turns, turn: number): number[] =>
  turnsOnLine({
    ...state,
    last_turn: turn,
    rewinds: state.rewinds.filter(({ at }) => at < turn),
  });

/** What tells which turns a session goes on from. */
type Turns = Pick<State, "last_turn" | "withdrawn"> & {
  rewinds: readonly Pick<Rewind, "at" | "to">[];
  queue: readonly Pick<QueuedPrompt, "turn">[];
};

/** The turns the session goes on from, oldest first: neither those that a rewind left behind nor those that it never had. */
export const turnsOnLine = (state: Turns): number[] => {
  const never = new Set(neverHad(state));
  return lineOf(state).filter((turn) => !never.has(turn));
};

/** Whether no rewind has left it behind. */
export const isOnLine = (state: Turns, turn: number): boolean =>
  turn === 0 || lineOf(state).includes(turn);

/** The turn that the line ends with. Where nothing was said since the newest rewind, that is where it went to. */
export const turnStoodAt = ({
  rewinds,
  last_turn,
}: Pick<Turns, "rewinds" | "last_turn">): number => {
  const newest = rewinds.at(-1);
  return newest?.at === last_turn ? newest.to : last_turn;
};

/** Turns that were begun and in which nothing was done: the prompt was given back. */
const neverHad = ({ withdrawn, queue }: Turns): number[] => [
  ...withdrawn,
  ...queue.flatMap(begunBy),
];

const lineOf = (state: Turns): number[] =>
  spansOf(state).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );

/** The line as spans of consecutive turns, oldest first. There are as many as rewinds, however many turns there are. */
const spansOf = (state: Turns) => {
  const { rewinds } = state;
  const spans: { first: number; last: number }[] = [];
  let last = turnStoodAt(state);
  while (last > 0) {
    const before = rewinds.findLast(({ at }) => at < last);
    spans.push({ first: (before?.at ?? 0) + 1, last });
    // A rewind goes back. One that does not, in a file from elsewhere, must not be followed for ever.
    last = before === undefined ? 0 : Math.min(before.to, before.at);
  }
  return spans.toReversed();
};
