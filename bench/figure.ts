/** One line of a benchmark: what we took, what the peer or the floor took in the same run, and the bar for their ratio. */
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

interface Measured {
  what: string;
  unit: string;
  ours: readonly number[];
  peer: readonly number[];
}

/** The medians of interleaved rounds, against `least` or `most` times the peer. */
export const figure = (
  { what, unit, ours, peer }: Measured,
  bar: { least: number } | { most: number } | null,
): Row => {
  const mine = median(ours);
  const theirs = median(peer);
  const ratio = mine / theirs;
  return {
    what,
    unit,
    ours: mine,
    peer: theirs,
    ratio,
    bar: bar === null ? null : describe(bar),
    ok: bar === null ? null : holds(ratio, bar),
  };
};

export const median = (values: readonly number[]): number =>
  quantile(values, 0.5);

/** The value below which this share of the values lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[index] ?? Number.NaN;
};

type Bar = { least: number } | { most: number };

const describe = (bar: Bar): string =>
  "least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`;

const holds = (ratio: number, bar: Bar): boolean =>
  "least" in bar ? ratio >= bar.least : ratio <= bar.most;
