import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";

/** What everybody is told who wants something of a place that another server has (REC-68). */
export const supersededAt = (place: PlaceRef, cause?: unknown): RepriseError =>
  new RepriseError(
    "superseded",
    `Another server has taken over the place ${placeKey(place)}, and this one can change nothing of its sessions any more. Ask the other server.`,
    { cause },
  );
