/** The machine's monotonic clock, in milliseconds: the same in every process. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** From when until when. */
export interface Span {
  from: number;
  to: number;
}

/** From when until when this is done. */
export const timed = async (work: () => Promise<unknown>): Promise<Span> => {
  const from = now();
  await work();
  return { from, to: now() };
};

export const lengths = (spans: readonly Span[]): number[] =>
  spans.map(({ from, to }) => to - from);
