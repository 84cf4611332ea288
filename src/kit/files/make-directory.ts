import { mkdir } from "node:fs/promises";
import { hasErrno } from "../errno.ts";

/** Makes a private directory if it is not there. The one above it must be: a home that was moved away is not made anew. */
export const makeDirectory = async (path: string): Promise<void> => {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasErrno(error, "EEXIST")) throw error;
  });
};
