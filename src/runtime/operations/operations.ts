/** Everything a caller can ask of the house, noun by noun. */
import { createSession } from "./create-session.ts";
import type { House } from "./house.ts";
import { lifecycleOperations } from "./lifecycle.ts";
import { promptOperations } from "./prompts.ts";
import { readingOperations } from "./reading.ts";
import { taskOperations } from "./tasks.ts";
import type { CreateSessionRequest } from "../../contract/request.ts";

export const operationsOf = (house: House) => ({
  createSession: (request: CreateSessionRequest, key?: string) =>
    createSession(house, request, key),
  ...promptOperations(house),
  ...lifecycleOperations(house),
  ...readingOperations(house),
  ...taskOperations(house),
});
