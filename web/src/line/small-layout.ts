/** The newest marks of a session on one short line, as lists show it: what is drawn where. */
import type { SmallMark } from "./mark.ts";
import type { Memory } from "./layout.ts";
import { shapeOfSmall, type TurnShape } from "./shape.ts";

export type SmallPart =
  | { kind: "stroke"; from: number; to: number; memory: Memory }
  | { kind: "turn"; x: number; shape: TurnShape; memory: Memory }
  /** Two slanted strokes; with `returns` the bar where the line goes on. */
  | { kind: "break"; x: number; returns: boolean }
  | {
      kind: "tick" | "rest" | "ended" | "handed_off";
      x: number;
      memory: Memory;
    }
  /** The small pale branch of what a rewind left behind. */
  | { kind: "branch"; x: number };

export interface SmallLayout {
  width: number;
  parts: readonly SmallPart[];
}

export const PITCH = 13;
export const MID = 9;
const MARGIN = 5;
/** A break takes more room: its strokes, and the bar behind them. */
const AFTER_BREAK = 7;

export const MAX_SMALL_MARKS = 14;

export const layoutSmall = (all: readonly SmallMark[]): SmallLayout => {
  const marks = all
    .filter((mark) => mark.kind !== "start" && !isBehind(mark))
    .slice(-MAX_SMALL_MARKS);
  const memories = memoriesOf(marks);
  const parts: SmallPart[] = [];
  let x = MARGIN;
  let from = x;
  const strokeTo = (to: number, memory: Memory): void => {
    if (to > from) parts.push({ kind: "stroke", from, to, memory });
    from = to;
  };
  marks.forEach((mark, i) => {
    const memory = memories[i] ?? "own";
    if (mark.kind === "break") {
      strokeTo(x - MARGIN, memories[i - 1] ?? memory);
      const returns = mark.grade !== null;
      parts.push({ kind: "break", x, returns });
      from = x + AFTER_BREAK;
      x += PITCH + 6;
      if (returns && i === marks.length - 1) strokeTo(x - 4, "own");
      return;
    }
    strokeTo(x, memory);
    parts.push(partOf(mark, x, memory));
    x += mark.kind === "tick" ? PITCH - 2 : PITCH;
  });
  return { width: x, parts };
};

const isBehind = (mark: SmallMark): boolean =>
  mark.kind === "turn" && mark.behind;

const partOf = (
  mark: Exclude<SmallMark, { kind: "break" }>,
  x: number,
  memory: Memory,
): SmallPart => {
  switch (mark.kind) {
    case "turn":
      return { kind: "turn", x, shape: shapeOfSmall(mark), memory };
    case "rewound":
      return { kind: "branch", x };
    case "tick":
    case "rest":
    case "ended":
    case "handed_off":
      return { kind: mark.kind, x, memory };
    case "start":
      return { kind: "tick", x, memory };
  }
};

/** What is no turn is drawn as the turn that follows it. */
const memoriesOf = (marks: readonly SmallMark[]): Memory[] => {
  let memory: Memory = "own";
  return marks
    .toReversed()
    .map((mark) => {
      if (mark.kind === "turn") memory = mark.memory;
      return memory;
    })
    .toReversed();
};
