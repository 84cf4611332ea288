/** One line of a benchmark: what we took, what the peer or the floor took in the same run, and the bar for the two. */
export interface Row {
  what: string;
  unit: string;
  ours: number;
  peer: number;
  ratio: number;
  /** Null: shown for orientation, nothing is promised. */
  bar: string | null;
  ok: boolean | null;
}

export interface Bench {
  name: string;
  measure(): Promise<Row[]>;
}

export interface Measured {
  what: string;
  unit: string;
  ours: readonly number[];
  peer: readonly number[];
}

/** At least, or at most, so many times the peer; the peer and so much more; or done so many times in the peer's time. */
export type Bar =
  | { least: number }
  | { most: number }
  | { within: number }
  | { faster: number };

/** The medians of interleaved rounds, held against a bar. */
export const figure = (
  { what, unit, ours, peer }: Measured,
  bar: Bar | null,
): Row => {
  const mine = median(ours);
  const theirs = median(peer);
  return {
    what,
    unit,
    ours: mine,
    peer: theirs,
    ratio: mine / theirs,
    bar: bar === null ? null : describe(bar, unit),
    ok: bar === null ? null : holds(mine, theirs, bar),
  };
};

/** Where the bar is a figure of its own: the peer is that figure. */
export const limit = (
  { what, unit, ours }: Omit<Measured, "peer">,
  bar: { least: number } | { most: number },
): Row => {
  const peer = "least" in bar ? bar.least : bar.most;
  const row = figure(
    { what, unit, ours, peer: [peer] },
    "least" in bar ? { least: 1 } : { most: 1 },
  );
  return { ...row, bar: describe(bar, unit) };
};

export const median = (values: readonly number[]): number =>
  quantile(values, 0.5);

/** The value below which this share of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? Number.NaN;
};

export const percent = (part: number, whole: number): string =>
  `${Math.round((100 * part) / whole)} %`;

const describe = (bar: Bar, unit: string): string => {
  if ("within" in bar) return `≤ peer + ${bar.within} ${unit}`;
  if ("faster" in bar) return `${bar.faster} × faster`;
  return "least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`;
};

const holds = (mine: number, theirs: number, bar: Bar): boolean => {
  if ("within" in bar) return mine <= theirs + bar.within;
  if ("faster" in bar) return mine * bar.faster <= theirs;
  return "least" in bar
    ? mine >= bar.least * theirs
    : mine <= bar.most * theirs;
};
