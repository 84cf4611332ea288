import { join } from "node:path";
import { AGENTCTL_FILE, AgentctlFile } from "../../contract/link/link.ts";
import { readOwnJson } from "../../kit/files/own-json.ts";

/** What the agentctl of a home wrote about itself. Throws `not_ours` when another user could have written it. */
export const readAgentctlFile = (
  home: string,
): Promise<AgentctlFile | "absent" | "damaged"> =>
  readOwnJson(join(home, "agentctl", AGENTCTL_FILE), (document) =>
    AgentctlFile.parse(document),
  );
