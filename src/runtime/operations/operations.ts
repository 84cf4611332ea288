/** Everything that can be asked of sessions. */
import { agreementOperations } from "./agreements/agreements.ts";
import { changeOperations } from "./change-session.ts";
import { budgetOperations } from "./budget.ts";
import { checkpointOperations } from "./rewind/checkpoints.ts";
import { damageOperations } from "./damage.ts";
import { createSession } from "./create-session.ts";
import { diskOperations } from "./upkeep/disk.ts";
import { exportOperations } from "./archive/export-session.ts";
import { fileOperations } from "./workspace/files.ts";
import { findOperations } from "./find-by-key.ts";
import { forkOperations } from "./rewind/fork.ts";
import { gcOperations } from "./upkeep/gc.ts";
import { handoffOperations } from "./handoff.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { importOperations } from "./archive/import-session.ts";
import { lineOperations } from "./line.ts";
import { lifecycleOperations } from "./lifecycle.ts";
import { promptOperations } from "./prompts.ts";
import { purgeOperations } from "./trash/purge.ts";
import { readingOperations } from "./reading.ts";
import { rewindOperations } from "./rewind/rewind.ts";
import { runOperations } from "./workspace/run-operations.ts";
import { shellOperations } from "./workspace/shells.ts";
import { trashOperations } from "./trash/trash.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";

export type SessionOperations = ReturnType<typeof operationsOf>;

export const operationsOf = (deps: OperationDeps) => {
  const reading = readingOperations(deps);
  return {
    createSession: (request: CreateSessionRequest, key?: string) =>
      createSession(deps, request, key),
    ...promptOperations(deps),
    ...findOperations({ ...deps, show: reading.showSession }),
    ...budgetOperations(deps),
    ...lifecycleOperations(deps),
    ...changeOperations(deps),
    ...reading,
    ...lineOperations(deps),
    ...checkpointOperations(deps),
    ...fileOperations(deps),
    ...rewindOperations(deps),
    ...forkOperations(deps),
    ...handoffOperations(deps),
    ...trashOperations(deps),
    ...purgeOperations(deps),
    ...shellOperations(deps),
    ...exportOperations(deps),
    ...importOperations(deps),
    ...gcOperations(deps),
    ...diskOperations(deps),
    ...damageOperations(deps),
    ...runOperations(deps),
    ...agreementOperations(deps),
  };
};
