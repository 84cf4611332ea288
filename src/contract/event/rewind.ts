/** A session is brought back to an earlier turn. */
import * as z from "zod";
import { CheckpointId, Memory, TreeHash } from "../session/checkpoint.ts";

export const RewindRequested = z.object({
  turn: z.number().int(),
  checkpoint_id: CheckpointId,
  tree: TreeHash,
  memory: Memory.nullable(),
  /** In a shared directory: what this session did since, and what others did at the same time. */
  own: z.array(z.object({ from: TreeHash, to: TreeHash })).nullable(),
  others: z.array(z.object({ from: TreeHash, to: TreeHash })),
  /** What was done besides these turns stays. Absent: everything goes back. */
  keep_besides: z.array(z.object({ from: TreeHash, to: TreeHash })).optional(),
});

export const Rewound = z.object({
  turn: z.number().int(),
  /** The newest turn before it. */
  from_turn: z.number().int(),
  checkpoint_id: CheckpointId,
  memory: Memory.nullable(),
  /** How many files were changed. */
  changes: z.number().int(),
});

export const RewindFailed = z.object({
  turn: z.number().int(),
  code: z.string(),
  message: z.string(),
  /** What was there before it, where some of it may have been replaced. */
  undo_id: CheckpointId.optional(),
});
