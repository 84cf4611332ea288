import { randomUUID } from "node:crypto";
import { problemOf, RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import type { Log } from "../../runtime/ports/home.ts";

/** Whatever was thrown, as an error that may be shown. What nobody foresaw is logged whole and shown only by a reference. */
export const showable = (error: unknown, log: Log): RepriseError => {
  if (error instanceof RepriseError) {
    if (error.code === "internal") log.error({ err: error }, error.message);
    return error;
  }
  const trouble = diskTrouble(error);
  if (trouble !== null) return trouble;
  const reference = randomUUID();
  log.error({ err: error, reference }, "a request failed unexpectedly");
  return new RepriseError(
    "internal",
    `The server failed in a way nobody foresaw. Its log has the cause under ${reference}.`,
    { cause: error },
  );
};

/** A disk that is full or cannot be written is foreseen, wherever it is met. */
const diskTrouble = (error: unknown): RepriseError | null => {
  if (hasErrno(error, "ENOSPC", "EDQUOT"))
    return new RepriseError(
      "storage_full",
      `The disk is full (${String(error)}). Free some space and try again.`,
      { cause: error },
    );
  return hasErrno(error, "EROFS")
    ? new RepriseError(
        "storage_unavailable",
        `The disk cannot be written (${String(error)}). Check it, then try again.`,
        { cause: error },
      )
    : null;
};

export const problemResponse = (
  error: RepriseError,
  headers: Record<string, string> = {},
): Response => {
  const problem = problemOf(error);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      ...(problem.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...headers,
    },
  });
};
