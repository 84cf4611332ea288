import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { isMovedOn } from "../../journal/moved-on.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { isLinkLost } from "./link-lost.ts";
import { isDamage } from "./session-damaged.ts";
import { isSessionGone } from "./session-gone.ts";
import { isStorageTrouble } from "./storage-trouble.ts";
import { isTaskDamaged } from "./task-damaged.ts";

/** What is to be made of something that was done for a session or a task and failed. */
export type FailureKind =
  /** The disk is full, agentctl is away or busy, another writer was quicker: the same may go well another time. */
  | "passing"
  /** It was removed, or another server has it: nothing is left to do here. */
  | "left"
  /** Its journal is not what was written: it is the same the next time. */
  | "damaged"
  /** It was decided that it cannot be, as the session is now. */
  | "refused"
  /** Nobody foresaw it. */
  | "fault";

export const failureKind = (error: unknown): FailureKind => {
  if (isPassing(error)) return "passing";
  if (isSuperseded(error) || isSessionGone(error)) return "left";
  if (isDamage(error) || isTaskDamaged(error)) return "damaged";
  return error instanceof RepriseError && error.code !== "internal"
    ? "refused"
    : "fault";
};

const isPassing = (error: unknown): boolean =>
  isStorageTrouble(error) ||
  isLinkLost(error) ||
  isMovedOn(error) ||
  (error instanceof LinkError && error.code === "storage_full") ||
  (error instanceof RepriseError && error.code === "timed_out");
