import { textual } from "./textual.ts";
import type { Turn } from "./turn.ts";

/** A tool call whose result has `kib` KiB: numbered lines, so that a missing piece shows. */
export const showBig = async (turn: Turn, kib: number): Promise<void> => {
  const toolCallId = `big-${crypto.randomUUID()}`;
  await turn.show({
    toolCallId,
    title: `Read ${kib} KiB`,
    kind: "read",
    status: "in_progress",
    rawInput: { kib },
  });
  await turn.showMore({
    toolCallId,
    status: "completed",
    content: textual(kibibytes(kib)),
  });
  await turn.say(`That were ${kib} KiB.\n`);
};

const kibibytes = (count: number): string => {
  const pieces: string[] = [];
  for (let n = 1; n <= count; n++)
    pieces.push(`${n} `.padEnd(1023, ".") + "\n");
  return pieces.join("");
};
