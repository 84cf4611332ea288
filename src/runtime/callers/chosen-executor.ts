import type { CreateSessionRequest } from "../../contract/api/request.ts";

/** A host is another machine: who names one need not say that besides. */
export const chosenExecutor = ({
  executor,
  host,
}: Pick<CreateSessionRequest, "executor" | "host">): NonNullable<
  CreateSessionRequest["executor"]
> => executor ?? (host === undefined ? "standalone" : "remote");
