import type { Fill } from "../fill.ts";
import { fillAttention } from "../fill-attention.ts";
import { fillCheckpoints } from "../fill-checkpoints.ts";
import { fillPlaces } from "../fill-places.ts";
import { liveAndDue } from "./0005-live-and-due.ts";
import { neededTrees } from "./0006-checkpoints.ts";
import { places } from "./0009-places.ts";

/** What migrations add for sessions that are there already. */
export const fills: Readonly<Record<string, Fill>> = {
  [liveAndDue.name]: fillAttention,
  [neededTrees.name]: fillCheckpoints,
  [places.name]: fillPlaces,
};
