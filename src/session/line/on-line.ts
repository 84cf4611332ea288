import { turnsOnLine } from "../state/turns.ts";

/** Tells of a turn whether the session goes on from it, or a rewind has left it behind. */
export const onLine = ({
  last,
  rewinds,
}: {
  last: number;
  rewinds: readonly { at: number; to: number }[];
}): ((turn: number) => boolean) => {
  if (rewinds.length === 0) return () => true;
  const turns = new Set(
    turnsOnLine({
      turns: { last, rewinds, withdrawn: [] },
      prompts: { queue: [] },
    }),
  );
  return (turn) => turns.has(turn);
};
