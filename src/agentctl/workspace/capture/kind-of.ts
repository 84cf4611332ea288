import { stat } from "node:fs/promises";
import { hasErrno } from "../../../kit/errno.ts";

/** What stands at a path. */
export const kindOf = async (
  path: string,
): Promise<"directory" | "other" | "missing"> => {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "other";
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return "missing";
    throw error;
  }
};
