import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";

/** What everybody is told who wants something of a place that was lost (REC-68). */
export const supersededAt = (place: PlaceRef, cause?: unknown): RepriseError =>
  new RepriseError(
    "superseded",
    `Another server has taken over the place ${placeKey(place)}, and this one can change nothing of its sessions any more. Ask the other server.`,
    { cause },
  );

/** What a reader is told who needs a place that this server has not claimed (REC-89). */
export const notHeldAt = (place: PlaceRef): RepriseError =>
  new RepriseError(
    "superseded",
    `This server does not hold the place ${placeKey(place)}, so it does not hear what happens there. Ask the server that does.`,
  );
