import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";

/** Why an agent could not be started, for the journal. */
export const reasonOf = (error: unknown): { code: string; message: string } => {
  if (error instanceof RepriseError || error instanceof LinkError)
    return { code: error.code, message: error.message };
  return {
    code: "internal",
    message: `The agent could not be started: ${error instanceof Error ? error.message : String(error)}.`,
  };
};
