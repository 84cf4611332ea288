import { LinkError } from "../../contract/link-error.ts";
import { RepriseError } from "../../contract/problem.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { isMovedOn } from "../../journal/moved-on.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";

/** Whether an error says that the same may go well another time: the disk is full, agentctl is away or busy. */
export const mayPass = (error: unknown): boolean =>
  isStorageTrouble(error) ||
  isLinkLost(error) ||
  isSessionGone(error) ||
  isMovedOn(error) ||
  (error instanceof LinkError && error.code === "storage_full") ||
  isSuperseded(error) ||
  (error instanceof RepriseError && error.code === "timed_out");
