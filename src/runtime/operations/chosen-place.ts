import type { SessionId } from "../../contract/base/id.ts";
import { LOCAL, type PlaceRef } from "../../contract/base/place.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Where a session starts, or agents are looked for, by the executor that a request names. */
export const chosenPlace = (
  executor: NonNullable<CreateSessionRequest["executor"]> = "standalone",
): PlaceRef => {
  switch (executor) {
    case "standalone":
      return LOCAL;
    default:
      return unreachable(executor);
  }
};

/** Where a session works, as far as its row tells; null where there is none. */
export const placeOfSession = async (
  { store }: Pick<OperationDeps, "store">,
  session: SessionId,
): Promise<PlaceRef | null> => (await store.session(session))?.place ?? null;
