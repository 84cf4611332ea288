import { RepriseError } from "../../contract/problem/problem.ts";

/** What whoever still waits for something is told when the server closes. */
export const serverClosing = (): RepriseError =>
  new RepriseError(
    "agentctl_unavailable",
    "The server is closing. Ask again when it is up.",
  );
