import type { Span } from "../clock.ts";

/** One short piece of work that is always the same: when it was done, and how much processor time it took. */
export interface Beat {
  begun: number;
  ended: number;
  cpu: number;
}

/** A neighbour on the same core makes a beat half as slow again, and no more. */
const AWAY = 2.5;

/**
 * When the machine was not there. The same work takes the same processor time however many want the processor; it
 * takes more only where a host ran something else and let us believe that it was we who ran.
 */
export const absences = (beats: readonly Beat[]): Span[] => {
  const usual = beats.map(({ cpu }) => cpu).toSorted((a, b) => a - b)[
    Math.floor(beats.length / 2)
  ];
  if (usual === undefined) return [];
  const spans: Span[] = [];
  for (const [at, beat] of beats.entries()) {
    if (beat.cpu <= AWAY * usual) continue;
    const from = beats[at - 1]?.ended ?? beat.begun;
    const to = beats[at + 1]?.begun ?? beat.ended;
    const last = spans.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
};

export const overlaps = (a: Span, b: Span): boolean =>
  a.from < b.to && b.from < a.to;
