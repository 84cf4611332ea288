/** Why the vault could not do what it was asked. */
export const failureCodes = [
  /** The signal said stop. What was stored until then is used by the next try. */
  "aborted",
  /** The directory, or a file that was named, is not there. */
  "not_found",
  /** It may not be read or written. */
  "not_permitted",
  /** No room on the disk. */
  "storage_full",
  /** The disk failed in another way. */
  "storage_failed",
  /** A thread of the vault ran out of memory. */
  "out_of_memory",
  /** An object that a checkpoint needs is not in the vault. */
  "missing",
  /** What is stored is not what was stored. */
  "damaged",
  /** The file is no archive, or not one that may be let in. */
  "refused",
  /** The file is of a release that this one does not know. */
  "unknown_version",
  /** Larger than the caller wanted. */
  "too_large",
  /** The plan does not fit what is there now. */
  "changed",
  /** The vault is closed. */
  "closed",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export class VaultFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "VaultFailure";
    this.code = code;
  }
}

/** Gives an accident of the file system its name. */
export const failureOf = (error: unknown): VaultFailure => {
  if (error instanceof VaultFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new VaultFailure(codeOf(error), message, { cause: error });
};

/** Names the accidents of work on the vault's own files: whichever is missing there, it is nothing that was asked for. */
export const onOwnFiles = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const failure = failureOf(error);
    if (failure === error || failure.code === "storage_full") throw failure;
    throw new VaultFailure("storage_failed", failure.message, { cause: error });
  });

const codeOf = (error: unknown): FailureCode => {
  const code = error instanceof Error && "code" in error ? error.code : null;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "not_found";
    case "EACCES":
    case "EPERM":
      return "not_permitted";
    // What is a mount point cannot be replaced: it became one meanwhile.
    case "EBUSY":
      return "changed";
    case "ENOSPC":
    case "EDQUOT":
      return "storage_full";
    default:
      return "storage_failed";
  }
};
