import * as z from "zod";
import { KIND, MAX_ID } from "./place-key.ts";

export {
  isLocal,
  isOtherHost,
  isSamePlace,
  KIND_DOCKER,
  KIND_REMOTE,
  KIND_SSH,
  LOCAL,
  placeKey,
  placeOfKey,
} from "./place-key.ts";

/** Where an agentctl lives: the kind of executor that reaches it, and which place of that kind it is. */
export const PlaceRef = z.object({
  kind: z.string().regex(KIND),
  id: z.string().min(1).max(MAX_ID),
});
export type PlaceRef = z.infer<typeof PlaceRef>;

/** A directory of a place: the same path at another place is another directory. */
export interface Directory {
  place: PlaceRef;
  path: string;
}
