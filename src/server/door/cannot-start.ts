import { RepriseError } from "../../contract/problem.ts";
import { hasErrno } from "../../kit/errno.ts";

/** Why the server cannot start, in words for the person who started it. No answer to a request, so it has no problem code. */
export class CannotStart extends Error {
  constructor(words: string, options?: { cause: unknown }) {
    super(words, options);
    this.name = "CannotStart";
  }
}

/** What a file system refuses while a server starts on a home, in words. Other errors stay what they are. */
export const startTrouble = (error: unknown, home: string): unknown => {
  const said = error instanceof Error ? error.message : String(error);
  if (hasErrno(error, "ENOSPC", "EDQUOT"))
    return new RepriseError(
      "storage_full",
      `The disk that holds the home ${home} is full (${said}). Free some space, then start again.`,
      { cause: error },
    );
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
