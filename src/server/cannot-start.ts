import { hasErrno } from "../kit/errno.ts";

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
    return new CannotStart(
      `The disk that holds the home ${home} is full (${said}). Free some space, then start again.`,
      { cause: error },
    );
  if (hasErrno(error, "EROFS", "EACCES", "EPERM", "EEXIST", "ENOTDIR"))
    return new CannotStart(
      `The home ${home} cannot be written: ${said}. Make it writable, or choose another with --home or REPRISE_HOME.`,
      { cause: error },
    );
  return error;
};
