/** How many lines the turns of a session changed, turn by turn and in all. */
import type { ChangedLines } from "../../contract/session/changed-lines.ts";
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import { onLine } from "../line/on-line.ts";
import type { ChangedSoFar } from "../state/changed-lines.ts";
import type { State, Turns } from "../state/state.ts";

/** So many turns are held one by one: a rewind may leave them behind, and an undo bring them back. Of older ones the sum is. */
export const MAX_COUNTED = 500;

export const countLines = (state: State, checkpoint: Checkpoint): State => {
  const { kind, turn, changes } = checkpoint;
  if (kind !== "turn" || changes === undefined) return state;
  const { added, removed } = changes;
  if (added === null || removed === null) return state;
  const { counted } = state.turns.changed;
  return withTurns(state, [
    ...counted.filter((each) => each.turn !== turn),
    { turn, added, removed },
  ]);
};

/** After a rewind. */
export const recountLines = (state: State): State =>
  withTurns(state, state.turns.changed.counted);

const withTurns = (state: State, counted: ChangedSoFar["counted"]): State => {
  const { turns } = state;
  const changed = folded(turns, counted);
  const total = totalOf(turns, changed);
  return { ...state, turns: { ...turns, changed: { ...changed, total } } };
};

type Counted = Omit<ChangedSoFar, "total">;
type IsOn = ReturnType<typeof onLine>;

const folded = (turns: Turns, counted: ChangedSoFar["counted"]): Counted => {
  const { older } = turns.changed;
  const over = counted.slice(0, Math.max(0, counted.length - MAX_COUNTED));
  const last = over.at(-1);
  if (last === undefined) return { counted, older };
  const isOn = onLine(turns);
  const up_to = last.turn;
  const sum = sumOf(
    over.filter(({ turn }) => isOn(turn)),
    older,
  );
  const tip = isKnown(older, isOn) ? tipOf(up_to, isOn) : null;
  return {
    counted: counted.slice(over.length),
    older: { ...sum, up_to, tip },
  };
};

/** Whether the sum is of the turns that the session goes on from. */
const isKnown = (older: Counted["older"], isOn: IsOn): boolean =>
  older === null || older.tip === tipOf(older.up_to, isOn);

/** The newest turn up to this one that was not left behind. It tells which turns led to it. */
const tipOf = (up_to: number, isOn: IsOn): number => {
  let turn = up_to;
  while (turn > 0 && !isOn(turn)) turn -= 1;
  return turn;
};

/** Null also where a rewind went back among turns of which only the sum is held. */
const totalOf = (
  turns: Turns,
  { counted, older }: Counted,
): ChangedLines | null => {
  const isOn = onLine(turns);
  if (!isKnown(older, isOn)) return null;
  const own = counted.filter(({ turn }) => isOn(turn));
  return own.length === 0 && older === null ? null : sumOf(own, older);
};

const sumOf = (
  all: readonly ChangedLines[],
  before: ChangedLines | null,
): ChangedLines =>
  all.reduce(
    (sum, { added, removed }) => ({
      added: sum.added + added,
      removed: sum.removed + removed,
    }),
    { added: before?.added ?? 0, removed: before?.removed ?? 0 },
  );
