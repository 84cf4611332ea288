import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { problemOfRefusal } from "../failures/problem-of-refusal.ts";

/** What agentctl is asked for a caller: its refusals become the caller's. */
export const askPlace = async <T>(order: Promise<T>): Promise<T> => {
  try {
    return await order;
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw new RepriseError(problemOfRefusal(error.code), wordsOf(error), {
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
