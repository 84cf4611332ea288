import type { ExecutorKind } from "../../contract/base/executor-name.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";

/** A host is another machine: who names one need not say that besides. */
export const chosenExecutor = ({
  executor,
  host,
}: Pick<CreateSessionRequest, "executor" | "host">): ExecutorKind =>
  executor ?? (host === undefined ? "standalone" : "remote");
