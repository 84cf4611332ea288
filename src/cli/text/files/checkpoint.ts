import type { Checkpoint } from "../../../contract/session/checkpoint.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import type { Sink } from "../../terminal/world.ts";
import { ago, age, count } from "../../terminal/age.ts";
import type { Palette } from "../../terminal/palette.ts";
import { duration, size } from "../../terminal/size.ts";
import { type Cell, table } from "../../terminal/table.ts";

export const checkpointTable = (
  checkpoints: readonly Checkpoint[],
  { palette, columns }: Sink,
  now: Date,
): string => {
  const names = "ID TURN KIND OUTCOME FILES SIZE NEW TOOK AGE NOTE".split(" ");
  const heading = names.map((text) => ({ text, paint: palette.dim }));
  const rows = checkpoints.map((each) => row(each, palette, now));
  return table([heading, ...rows], columns);
};

const row = (each: Checkpoint, palette: Palette, now: Date): Cell[] => [
  { text: each.id },
  { text: String(each.turn) },
  { text: each.kind },
  { text: each.outcome, paint: outcomeColour(each.outcome, palette) },
  { text: each.tree === null ? "" : String(each.files) },
  { text: each.tree === null ? "" : size(each.bytes) },
  { text: each.tree === null ? "" : size(each.new_bytes) },
  { text: duration(each.took_ms) },
  { text: age(each.at, now) },
  { text: noteOf(each) ?? "" },
];

const outcomeColour = (
  outcome: Checkpoint["outcome"],
  palette: Palette,
): ((text: string) => string) => {
  switch (outcome) {
    case "saved":
      return palette.green;
    case "partial":
      return palette.yellow;
    case "failed":
      return palette.red;
    default:
      return unreachable(outcome);
  }
};

/** What is wrong with it, or not in it. */
const noteOf = (each: Checkpoint): string | null => {
  if (each.reason !== null) return oneLine(each.reason);
  const lacking = [...each.unstable, ...each.unreadable];
  const [first] = lacking;
  const [out] = each.left_out;
  const parts = [
    ...(first === undefined
      ? []
      : [`lacks ${count(lacking.length, "file")}: ${oneLine(first)}`]),
    ...(out === undefined
      ? []
      : [
          `leaves out ${count(each.left_out.length, "path")}: ${oneLine(out.path)}`,
        ]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
};

/** The newest that can be gone back to, and what went wrong since. Null when there is nothing to tell. */
export const checkpointWords = (
  checkpoints: readonly Checkpoint[],
  now: Date,
): string | null => {
  const newest = checkpoints.at(-1);
  if (newest === undefined) return null;
  const good = checkpoints.findLast(({ tree }) => tree !== null);
  const words =
    good === undefined
      ? "none could be taken"
      : `${good.id}, ${momentOf(good)}, ${ago(good.at, now)}`;
  const note = noteOf(newest);
  if (note === null) return words;
  return newest === good
    ? `${words} (${note})`
    : `${words}\nthe newest failed ${ago(newest.at, now)}: ${note}`;
};

/** When it was taken, in the life of its session. */
export const momentOf = ({
  kind,
  turn,
}: Pick<Checkpoint, "kind" | "turn">): string => {
  switch (kind) {
    case "baseline":
      return turn === 0
        ? "before the first turn"
        : `as forked after turn ${turn}`;
    case "start":
      return `before turn ${turn}`;
    case "turn":
      return `after turn ${turn}`;
    case "safety":
      return `in turn ${turn}`;
    case "pause":
      return `at rest after turn ${turn}`;
    case "end":
      return `at the end, after turn ${turn}`;
    case "rewind":
      return `before a rewind, after turn ${turn}`;
    default:
      return unreachable(kind);
  }
};
