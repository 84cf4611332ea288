import { CheckpointId } from "../../../contract/session/checkpoint.ts";
import { UsageError } from "../../parsing/usage-error.ts";

/** The argument that names where to go back to. */
export const turnArgument = {
  name: "TURN",
  help: "the number of a turn, or the id of a checkpoint as in chk_41",
} as const;

export const readMoment = (
  given: string,
  session: string,
): { turn: number } | { checkpoint: CheckpointId } => {
  if (/^\d{1,9}$/.test(given)) return { turn: Number(given) };
  const checkpoint = CheckpointId.safeParse(given);
  if (checkpoint.success) return { checkpoint: checkpoint.data };
  throw new UsageError(
    `"${given}" is neither the number of a turn nor the id of a checkpoint. \`reprise session checkpoints ${session}\` lists them.`,
  );
};
