import { join } from "node:path";
import { AgentctlFile } from "../contract/link.ts";
import { NotOurs, readOurs } from "../kit/own-file.ts";

/** What the agentctl of a home wrote about itself. Throws `NotOurs` when another user could have written it. */
export const readAgentctlFile = async (
  home: string,
): Promise<AgentctlFile | "absent" | "damaged"> => {
  try {
    const text = await readOurs(join(home, "agentctl", "agentctl.json"));
    return text === null ? "absent" : AgentctlFile.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof NotOurs) throw error;
    return "damaged";
  }
};
