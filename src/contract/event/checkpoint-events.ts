import * as z from "zod";
import {
  Checkpoint,
  CheckpointId,
  CheckpointKind,
} from "../session/checkpoint.ts";

/** What becomes of captures of the workspace. */
export const checkpointEvents = {
  /** Wanted in the middle of a turn, before one, or at the end. What a turn, a pause or a start leaves is captured unasked. */
  "session.checkpoint.requested": z.object({
    kind: z.enum(["safety", "start", "end"]),
    turn: z.number().int(),
  }),
  /** There was nothing to capture. `checkpoint_id` is the checkpoint that holds the same already. */
  "session.checkpoint.skipped": z.object({
    kind: CheckpointKind,
    turn: z.number().int(),
    reason: z.enum(["unchanged", "workspace_missing"]),
    checkpoint_id: CheckpointId.nullable(),
  }),
  "session.checkpoint.saved": z.object({ checkpoint: Checkpoint }),
  "session.checkpoint.partial": z.object({ checkpoint: Checkpoint }),
  "session.checkpoint.failed": z.object({ checkpoint: Checkpoint }),
} as const;
