import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentctlFile } from "../../contract/link.ts";
import { isRunning } from "../../kit/process-identity.ts";
import { type Finding, ok, warn } from "./check.ts";

export const checkAgentctl = async (home: string): Promise<Finding> => {
  const text = await readFile(
    join(home, "agentctl", "agentctl.json"),
    "utf8",
  ).catch(() => null);
  if (text === null)
    return ok("agentctl", "not started yet; the server starts it when needed");
  const parsed = AgentctlFile.safeParse(parseJson(text));
  if (!parsed.success)
    return warn("agentctl", "agentctl.json is damaged", "reprise up");
  const { pid, build } = parsed.data;
  return (await isRunning(parsed.data))
    ? ok("agentctl", `running, pid ${pid}, build ${build}`)
    : warn(
        "agentctl",
        `pid ${pid} is gone; the server starts another`,
        "reprise up",
      );
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
