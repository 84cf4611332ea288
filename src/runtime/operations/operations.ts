/** Everything a caller can ask of the house, noun by noun. */
import { checkpointOperations } from "./checkpoints.ts";
import { damageOperations } from "./damage.ts";
import { createSession } from "./create-session.ts";
import { diskOperations } from "./disk.ts";
import { exportOperations } from "./export-session.ts";
import { forkOperations } from "./fork.ts";
import { gcOperations } from "./gc.ts";
import { handoffOperations } from "./handoff.ts";
import type { House } from "./house.ts";
import { importOperations } from "./import-session.ts";
import { lifecycleOperations } from "./lifecycle.ts";
import { promptOperations } from "./prompts.ts";
import { readingOperations } from "./reading.ts";
import { rewindOperations } from "./rewind.ts";
import { taskOperations } from "./tasks.ts";
import { trashOperations } from "./trash.ts";
import type { CreateSessionRequest } from "../../contract/request.ts";

export const operationsOf = (house: House) => ({
  createSession: (request: CreateSessionRequest, key?: string) =>
    createSession(house, request, key),
  ...promptOperations(house),
  ...lifecycleOperations(house),
  ...readingOperations(house),
  ...taskOperations(house),
  ...checkpointOperations(house),
  ...rewindOperations(house),
  ...forkOperations(house),
  ...handoffOperations(house),
  ...trashOperations(house),
  ...exportOperations(house),
  ...importOperations(house),
  ...gcOperations(house),
  ...diskOperations(house),
  ...damageOperations(house),
});
