import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { cFunctions } from "../../kit/c-library.ts";
import { crashPoint } from "../../kit/crash-point.ts";
import { VaultFailure } from "../format/failure.ts";

/**
 * Everything on the disk of this directory is really on it when this returns. A restore writes tens of thousands of
 * files: to flush each would take minutes, to flush their file system takes as long as writing them.
 */
export const flushDisk = (directory: string): void => {
  const file = openSync(directory, "r");
  try {
    if (!flush(directory, file))
      throw new VaultFailure(
        "storage_failed",
        `the disk of ${directory} could not be flushed`,
      );
  } finally {
    closeSync(file);
  }
  crashPoint("checkpoint.restore.flushed");
};

const flush = (directory: string, file: number): boolean => {
  if (syncfs !== null) return syncfs(file) === 0;
  // Only Linux flushes one file system alone.
  const args = process.platform === "linux" ? ["-f", directory] : [];
  return spawnSync("sync", args, { stdio: "ignore" }).status === 0;
};

const syncfs =
  cFunctions({ syncfs: { arguments: ["i32"], return: "i32" } })?.syncfs ?? null;
