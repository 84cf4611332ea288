import type { Fill } from "../fill.ts";
import { fillAttention } from "../fill-attention.ts";
import { fillCheckpoints } from "../fill-checkpoints.ts";
import { liveAndDue } from "./0005-live-and-due.ts";
import { neededTrees } from "./0006-checkpoints.ts";

/** What migrations add for sessions that are there already. */
export const fills: Readonly<Record<string, Fill>> = {
  [liveAndDue.name]: fillAttention,
  [neededTrees.name]: fillCheckpoints,
};
