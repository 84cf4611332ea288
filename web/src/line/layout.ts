/**
 * The line of a session as rows: what stands in each, and which strokes go through it. A row knows its neighbours, so that it can
 * be drawn alone.
 *
 *   │  turn 3          main lane; the stroke is full where the agent remembers, dashed where it was told, pale where it knows nothing
 *   ├─╮ turn 4         a rewind left it behind: a pale lane beside the main one, from the turn that was gone back to …
 *   │ ◂ rewound to 3   … to the mark of the rewind
 *   ╵  turn 6          an agent died: the stroke ends. Nothing else makes a gap
 */
import type { Mark, TurnMark } from "./mark.ts";

export type Memory = TurnMark["memory"];

interface Drawn {
  /** The same for the same mark, however many come behind it. */
  key: string;
  lane: "main" | "behind";
  /** How the stroke through this row is drawn. */
  memory: Memory;
  /** Whether the stroke of the main lane goes on to the row above, and to the row below. */
  above: boolean;
  below: boolean;
  /** The first row of a lane that was left behind: the branch begins here. */
  branches: boolean;
}

export type MarkRow = Drawn & { kind: "mark"; mark: Mark };
/** Turns that are shown as one row until somebody opens it. */
export type FoldRow = Drawn & {
  kind: "fold";
  from: number;
  to: number;
  rows: readonly MarkRow[];
};
export type LineRow = MarkRow | FoldRow;

/** Lines with more marks are folded. */
export const MAX_MARKS = 60;
/** The newest ones are never folded, and fewer than this many are not worth it. */
const KEEP_NEWEST = 12;
const LEAST_FOLD = 4;

/** `open`: the keys of folds that somebody has opened. */
export const layoutLine = (
  marks: readonly Mark[],
  open: ReadonlySet<string> = new Set(),
): readonly LineRow[] => {
  const rows = rowsOf(marks);
  return rows.length <= MAX_MARKS ? rows : folded(rows, open);
};

const rowsOf = (marks: readonly Mark[]): MarkRow[] => {
  const lanes = lanesOf(marks);
  const memories = memoriesOf(marks, lanes);
  return marks.map((mark, i) => {
    const lane = lanes[i] ?? "main";
    return {
      kind: "mark",
      key: keyOf(marks, i),
      mark,
      lane,
      memory: memories[i] ?? "own",
      above: goesOn(marks, lanes, i - 1),
      below: goesOn(marks, lanes, i),
      branches: lane === "behind" && lanes[i - 1] !== "behind",
    };
  });
};

/** What happened between two turns that were left behind was left behind with them. */
const lanesOf = (marks: readonly Mark[]): ("main" | "behind")[] => {
  let lane: "main" | "behind" = "main";
  return marks.map((mark) => {
    if (mark.kind === "turn") lane = mark.behind ? "behind" : "main";
    else if (mark.kind === "rewound") lane = "main";
    return lane;
  });
};

/** The stroke to a turn shows what the agent knows of it; behind the last turn it goes on as the agent is now. */
const memoriesOf = (
  marks: readonly Mark[],
  lanes: readonly string[],
): Memory[] => {
  let memory: Memory = "own";
  return marks
    .map((mark, i): Memory => {
      const fromEnd = marks.length - 1 - i;
      const at = marks[fromEnd];
      if (at?.kind === "turn" && lanes[fromEnd] === "main") memory = at.memory;
      return memory;
    })
    .toReversed();
};

/** Whether the stroke goes on behind the mark `i`. */
const goesOn = (
  marks: readonly Mark[],
  lanes: readonly string[],
  i: number,
): boolean => {
  const mark = marks[i];
  const next = marks[i + 1];
  if (mark === undefined || next === undefined) return false;
  // A break in a lane that was left behind is no gap in the main one.
  if (next.kind === "break" && lanes[i + 1] === "main") return false;
  return !(
    mark.kind === "break" &&
    lanes[i] === "main" &&
    mark.resume === null &&
    next.kind !== "turn"
  );
};

/** Turns have numbers; of other kinds the how-manieth it is. */
const keyOf = (marks: readonly Mark[], i: number): string => {
  const mark = marks[i];
  if (mark === undefined) return "";
  if (mark.kind === "turn") return `turn-${mark.turn}`;
  const before = marks.slice(0, i).filter(({ kind }) => kind === mark.kind);
  return `${mark.kind}-${before.length + 1}`;
};

const folded = (
  rows: readonly MarkRow[],
  open: ReadonlySet<string>,
): LineRow[] => {
  const newest = rows.slice(-KEEP_NEWEST);
  return [
    ...runsOf(rows.slice(0, -KEEP_NEWEST)).flatMap(foldRun(open)),
    ...newest,
  ];
};

/** Rows that may become one: nothing in them asks for attention, and the agent knows the same of all of them. */
const runsOf = (rows: readonly MarkRow[]): MarkRow[][] => {
  const runs: MarkRow[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (
      run !== undefined &&
      last !== undefined &&
      isPlain(last) &&
      isPlain(row) &&
      last.memory === row.memory
    )
      run.push(row);
    else runs.push([row]);
  }
  return runs;
};

const isPlain = ({ mark, lane }: MarkRow): boolean => {
  if (lane === "behind") return false;
  if (mark.kind === "tick" || mark.kind === "rest") return true;
  return (
    mark.kind === "turn" &&
    (mark.outcome === "completed" || mark.outcome === "cancelled") &&
    mark.capture !== "failed" &&
    mark.forks.length === 0
  );
};

const foldRun =
  (open: ReadonlySet<string>) =>
  (run: MarkRow[]): LineRow[] => {
    const turns = run.flatMap(({ mark }) =>
      mark.kind === "turn" ? [mark.turn] : [],
    );
    const [from] = turns;
    const to = turns.at(-1);
    const [first] = run;
    const last = run.at(-1);
    if (
      run.length < LEAST_FOLD ||
      from === undefined ||
      to === undefined ||
      first === undefined ||
      last === undefined
    )
      return run;
    const key = `fold-${from}`;
    if (open.has(key)) return run;
    return [
      { ...first, kind: "fold", key, below: last.below, from, to, rows: run },
    ];
  };
