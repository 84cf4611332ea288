/** The messages in view by their turns, with the marks of the line between them. What did not change stays the same object. */
import type { Message } from "../../../../src/contract/session/message.ts";
import type { Mark, TurnMark } from "../../line/mark.ts";
import type { ToldText, TurnView } from "../open-session.ts";

export interface TurnTime {
  startedAt: string | null;
  endedAt: string | null;
}

export interface TurnSources {
  messages: readonly Message[];
  line: readonly Mark[];
  times: ReadonlyMap<number, TurnTime>;
  /** By the turn that began with it. */
  told: ReadonlyMap<number, ToldText>;
  /** As it was before. */
  before: readonly TurnView[];
}

const UNKNOWN: TurnTime = { startedAt: null, endedAt: null };

export const turnViews = ({
  messages,
  line,
  times,
  told,
  before,
}: TurnSources): readonly TurnView[] => {
  const known = new Map(before.map((view) => [view.turn, view]));
  const marks = marksByTurn(line);
  const runs = inRuns(messages, marks);
  const views = runs.map(({ turn, messages: said }, i) => {
    const next = runs[i + 1]?.turn;
    const { mark = null, afterwards = [] } = marks.get(turn) ?? {};
    const view = {
      turn,
      messages: said,
      mark,
      afterwards,
      told: (next === undefined ? undefined : told.get(next)) ?? null,
      ...(times.get(turn) ?? UNKNOWN),
    };
    const old = known.get(turn);
    return old !== undefined && isSame(old, view) ? old : view;
  });
  return isSameList(views, before) ? before : views;
};

interface Marked {
  mark?: TurnMark;
  afterwards: Mark[];
}

/** What stands behind a turn's mark and before the next one belongs to it; what comes before the first, to turn 0. */
const marksByTurn = (line: readonly Mark[]): ReadonlyMap<number, Marked> => {
  const turns = new Map<number, Marked>();
  let current: Marked = { afterwards: [] };
  turns.set(0, current);
  for (const mark of line)
    if (mark.kind === "turn") {
      current = { mark, afterwards: [] };
      turns.set(mark.turn, current);
    } else if (mark.kind !== "start") current.afterwards.push(mark);
  return turns;
};

interface Run {
  turn: number;
  messages: Message[];
}

/** Also a turn that has said nothing yet is shown, once its mark is there. */
const inRuns = (
  messages: readonly Message[],
  marks: ReadonlyMap<number, Marked>,
): Run[] => {
  const runs = new Map<number, Run>();
  for (const message of messages) {
    const run = runs.get(message.turn);
    if (run === undefined)
      runs.set(message.turn, { turn: message.turn, messages: [message] });
    else run.messages.push(message);
  }
  const first = messages[0]?.turn ?? 0;
  for (const [turn, { mark, afterwards }] of marks)
    if (
      turn >= first &&
      !runs.has(turn) &&
      (mark !== undefined || afterwards.length > 0)
    )
      runs.set(turn, { turn, messages: [] });
  return [...runs.values()].sort((one, other) => one.turn - other.turn);
};

const isSame = (one: TurnView, other: TurnView): boolean =>
  one.mark === other.mark &&
  one.told === other.told &&
  one.startedAt === other.startedAt &&
  one.endedAt === other.endedAt &&
  isSameList(one.afterwards, other.afterwards) &&
  isSameList(one.messages, other.messages);

const isSameList = (
  one: readonly unknown[],
  other: readonly unknown[],
): boolean =>
  one.length === other.length && one.every((each, i) => each === other[i]);
