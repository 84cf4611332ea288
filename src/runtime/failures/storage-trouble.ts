import { RepriseError } from "../../contract/problem/problem.ts";

/** The disk is full or cannot be written. Nobody's fault, and it may pass: what has to be done is tried again. */
export const isStorageTrouble = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "storage_full" || error.code === "storage_unavailable");
