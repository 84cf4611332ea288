import type { Session } from "../../../src/contract/session/session.ts";

export const isWorking = ({ state }: Session): boolean =>
  state === "CREATED" || state === "STARTING" || state === "RUNNING";
