import { isRunning } from "../../kit/processes/process-identity.ts";
import { readAgentctlFile } from "../server/agentctl-file.ts";
import { fail, type Finding, ok, warn } from "./check.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

export const checkAgentctl = async (home: string): Promise<Finding> => {
  const known = await readAgentctlFile(home).catch((error: unknown) => {
    if (isUnusable(error, "not_ours")) return error;
    throw error;
  });
  if (isUnusable(known, "not_ours")) return fail("agentctl", known.message);
  if (known === "absent")
    return ok("agentctl", "not running; the server starts it when needed");
  if (known === "damaged")
    return warn("agentctl", "agentctl.json is damaged", "reprise up");
  const { pid, build } = known;
  return (await isRunning(known))
    ? ok("agentctl", `running, pid ${pid}, build ${build}`)
    : warn(
        "agentctl",
        `pid ${pid} is gone; the server starts another`,
        "reprise up",
      );
};
