/**
 * One axis of time for all attempts. Work is drawn at its true length; a pause between attempts that is longer than the work
 * would squeeze it, so long pauses are cut out and told by their length.
 */
import { clock, date } from "../../words/age.ts";

export interface Interval {
  from: number;
  to: number;
}

export interface AxisGap {
  /** Shares of the width. */
  x: number;
  width: number;
  ms: number;
}

export interface Axis {
  /** Where a moment is, as a share of the width. */
  place: (ms: number) => number;
  gaps: readonly AxisGap[];
  /** Moments to write at the axis. */
  ticks: readonly { x: number; at: number }[];
}

/** Pauses are cut out when they are longer than this share of all work. */
const LONG_PAUSE = 0.5;
/** What a pause that was cut out takes of the width. */
const GAP_WIDTH = 0.05;
const MAX_GAPS_WIDTH = 0.4;

export const axisOf = (intervals: readonly Interval[]): Axis => {
  const spans = merged(intervals);
  const worked = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const runs = joined(spans, Math.max(worked * LONG_PAUSE, 1));
  const gap =
    runs.length < 2
      ? 0
      : Math.min(GAP_WIDTH, MAX_GAPS_WIDTH / (runs.length - 1));
  const shown = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  const scale = (1 - gap * (runs.length - 1)) / Math.max(shown, 1);
  let x = 0;
  const placed = runs.map((run) => {
    const width = (run.to - run.from) * scale;
    const result = { ...run, x, width };
    x += width + gap;
    return result;
  });
  const gaps = placed.slice(1).map((run, i) => {
    const before = placed[i];
    return { x: run.x - gap, width: gap, ms: run.from - (before?.to ?? 0) };
  });
  const place = (ms: number): number => {
    const run = placed.findLast(({ from }) => from <= ms);
    if (run === undefined) return 0;
    return run.x + Math.min(run.width, (ms - run.from) * scale);
  };
  return { place, gaps, ticks: ticksOf(placed) };
};

/** Each run is told by its begin, and the last one by its end too. A tick that has no room is left out. */
const ticksOf = (
  placed: readonly (Interval & { x: number; width: number })[],
): { x: number; at: number }[] => {
  const ticks: { x: number; at: number }[] = [];
  for (const { x, from } of placed)
    if (x - (ticks.at(-1)?.x ?? -1) >= TICK_ROOM) ticks.push({ x, at: from });
  const last = placed.at(-1);
  if (last !== undefined && 1 - (ticks.at(-1)?.x ?? 0) >= TICK_ROOM)
    ticks.push({ x: 1, at: last.to });
  return ticks;
};

const TICK_ROOM = 0.12;

const merged = (intervals: readonly Interval[]): Interval[] =>
  joined(
    intervals.toSorted((one, other) => one.from - other.from),
    0,
  );

/** Intervals that lie closer to each other than `pause` become one. They come in order. */
const joined = (intervals: readonly Interval[], pause: number): Interval[] => {
  const result: Interval[] = [];
  for (const { from, to } of intervals) {
    const before = result.at(-1);
    if (before !== undefined && from - before.to <= pause)
      before.to = Math.max(before.to, to);
    else result.push({ from, to: Math.max(from, to) });
  }
  return result;
};

/** `14:02`, with seconds where all of it is short, with the day where it is not one day. */
export const tickWords = (
  at: number,
  { ticks }: Pick<Axis, "ticks">,
): string => {
  const first = ticks[0]?.at ?? at;
  const last = ticks.at(-1)?.at ?? at;
  const time = clock(at, { seconds: last - first < SHORT_MS });
  return date(first) === date(last) ? time : `${date(at)}, ${time}`;
};

const SHORT_MS = 10 * 60 * 1000;
