import { LinkError } from "../../contract/link-error.ts";
import type { LinkRefusal } from "../../contract/link.ts";
import { type ProblemCode, RepriseError } from "../../contract/problem.ts";

/** What agentctl is asked for a caller: its refusals become the caller's. */
export const askPlace = async <T>(order: Promise<T>): Promise<T> => {
  try {
    return await order;
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw new RepriseError(codeOf(error.code), wordsOf(error), {
      cause: error,
    });
  }
};

const wordsOf = ({ code, message }: LinkError): string => {
  switch (code) {
    case "unknown_method":
      return "The agentctl that runs here is of a release that cannot do this. It is replaced when no agent runs any more.";
    case "damaged_archive":
    case "unsafe_archive":
      return `The file is no exported session, or it was cut short or changed on its way (${message}). Nothing of it was kept. Export the session again.`;
    case "newer_archive":
      return `The file was made by a newer release of Reprise (${message}). Nothing of it was kept. Import it with that release.`;
    default:
      return message;
  }
};

const codeOf = (code: LinkRefusal): ProblemCode => {
  switch (code) {
    case "damaged_archive":
    case "unsafe_archive":
    case "newer_archive":
    case "file_exists":
    case "not_a_repository":
    case "worktree_conflict":
    case "storage_full":
      return code;
    case "unknown_tree":
      return "checkpoint_damaged";
    case "workspace_unreadable":
      return "cwd_not_found";
    case "unknown_method":
      return "not_supported";
    case "predecessor_alive":
      return "workspace_busy";
    default:
      return "internal";
  }
};
