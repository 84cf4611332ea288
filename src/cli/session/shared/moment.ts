import { CheckpointId } from "../../../contract/session/checkpoint.ts";
import { UsageError } from "../../parsing/usage-error.ts";

/** The argument that names where to go back to. */
export const turnArgument = {
  name: "TURN",
  help: "the number of a turn, or the id of a checkpoint as in chk_41",
} as const;

export const readMoment = (
  text: string,
  session: string,
): { turn: number } | { checkpoint: CheckpointId } => {
  if (/^\d{1,9}$/.test(text)) return { turn: Number(text) };
  const checkpoint = CheckpointId.safeParse(text);
  if (checkpoint.success) return { checkpoint: checkpoint.data };
  throw new UsageError(
    `"${text}" is neither the number of a turn nor the id of a checkpoint. \`reprise session checkpoints ${session}\` lists them.`,
  );
};
