import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { hasErrno } from "../../kit/errno.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

/** A home that cannot be used says so: no room, no right, or something else about starting agentctl there. */
export const classified = (error: unknown, directory: string): Error => {
  if (error instanceof RepriseError || error instanceof LinkError) return error;
  if (isUnusable(error, "no_secret"))
    return new RepriseError("agentctl_unavailable", error.message, {
      cause: error,
    });
  if (isUnusable(error, "not_ours"))
    return new RepriseError("storage_unavailable", error.message, {
      cause: error,
    });
  const because = error instanceof Error ? error.message : String(error);
  if (hasErrno(error, "ENOSPC", "EDQUOT"))
    return new RepriseError(
      "storage_full",
      `There is no room for agentctl in ${directory}: ${because}`,
      { cause: error },
    );
  if (hasErrno(error, "EACCES", "EPERM", "EROFS"))
    return new RepriseError(
      "storage_unavailable",
      `${directory} cannot be written: ${because}. Make it yours, or set REPRISE_HOME to another directory`,
      { cause: error },
    );
  return new RepriseError(
    "agentctl_unavailable",
    `agentctl cannot be started in ${directory}: ${because}`,
    { cause: error },
  );
};
