import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";

/** Why the server cannot start, in words for the person who started it. */
export const cannotStart = (words: string, cause?: unknown): RepriseError =>
  new RepriseError("cannot_start", words, { cause });

/** What a file system refuses while a server starts on a home, and files there that we do not trust, in words. Other errors stay what they are. */
export const startTrouble = (error: unknown, home: string): unknown => {
  const said = error instanceof Error ? error.message : String(error);
  if (hasErrno(error, "ENOSPC", "EDQUOT"))
    return new RepriseError(
      "storage_full",
      `The disk that holds the home ${home} is full (${said}). Free some space, then start again.`,
      { cause: error },
    );
  if (error instanceof UnusableFile)
    return new RepriseError("home_unusable", said, { cause: error });
  const why = whyNotWritable(error, said);
  if (why === null) return error;
  return new RepriseError(
    "home_unusable",
    `The home ${home} cannot be written: ${why}. Make it writable, or choose another with --home or REPRISE_HOME.`,
    { cause: error },
  );
};

const whyNotWritable = (error: unknown, said: string): string | null => {
  if (hasErrno(error, "EROFS")) return `its file system is read-only (${said})`;
  if (hasErrno(error, "EACCES", "EPERM")) return `you may not (${said})`;
  return hasErrno(error, "EEXIST", "ENOTDIR", "ENAMETOOLONG") ? said : null;
};
