import type { AgentView } from "../../contract/agent/agent.ts";
import { howToLogIn } from "../server/login.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Finding, fail, ok, warn } from "./check.ts";

/** The agents at a glance, then each that cannot work yet, with the command that changes it. None of them has to be there. */
export const checkAgents = (agents: readonly AgentView[]): Finding[] => [
  overview(agents),
  ...agents.flatMap(missingOf),
];

const overview = (agents: readonly AgentView[]): Finding => {
  const installed = agents.filter((each) => each.installed);
  if (installed.length === 0) return fail("agents", "none is installed");
  const names = installed.map(({ id }) => id).join(", ");
  return ok("agents", `${names} (\`reprise agents\` tells more)`);
};

const missingOf = (agent: AgentView): Finding[] => {
  const { id, installed, install, login, found } = agent;
  if (!installed)
    return [
      install === null
        ? warn(id, "its command in config.json was not found")
        : { ...ok(id, "not installed"), fix: oneLine(install) },
    ];
  const how = login === "yes" ? null : howToLogIn(agent);
  if (how === null) return [];
  const variables =
    how.variables === "" ? "" : ` (${how.variables}, or log in)`;
  if (login !== "no")
    return [
      {
        ...ok(id, `whether you have logged in cannot be seen${variables}`),
        fix: how.command,
      },
    ];
  const finding = warn(id, `nobody has logged in${variables}`, how.command);
  // What is only a download away may not be wanted at all.
  return [found === "npx" ? { ...finding, verdict: "ok" } : finding];
};
