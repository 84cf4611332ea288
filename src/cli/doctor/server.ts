import { type Client, ServerUnreachable } from "../../client/client.ts";
import type { AgentView } from "../../contract/agent.ts";
import { RepriseError } from "../../contract/problem.ts";
import { oneLine } from "../sanitize.ts";
import { type Finding, fail, ok, warn } from "./check.ts";

/** The server, and what only it can tell. Not running is no illness: nothing was asked of it yet. */
export const checkServer = async (
  client: Client,
  ourVersion: string,
): Promise<Finding[]> => {
  try {
    const { version } = await client.health();
    const { agents } = await client.listAgents();
    return [
      version === ourVersion
        ? ok("server", `${client.url}, version ${version}`)
        : warn(
            "server",
            `${client.url} is version ${oneLine(version)}, this is ${ourVersion}`,
            "reprise up",
          ),
      checkAgents(agents),
    ];
  } catch (error) {
    return [illness(client, error)];
  }
};

const checkAgents = (agents: readonly AgentView[]): Finding => {
  const installed = agents.filter((each) => each.installed);
  const missing = agents.find(
    (each) => !each.installed && each.install !== null,
  );
  if (installed.length === 0)
    return fail("agents", "none is installed", missing?.install ?? undefined);
  const names = installed.map(({ id }) => id).join(", ");
  return ok("agents", `${names} (\`reprise agents\` tells more)`);
};

const illness = (client: Client, error: unknown): Finding => {
  if (error instanceof ServerUnreachable)
    return warn("server", `none answers at ${client.url}`, "reprise up");
  if (error instanceof RepriseError && error.code === "unauthorized")
    return fail(
      "server",
      `${client.url} refuses the token`,
      "export REPRISE_TOKEN=…",
    );
  return fail(
    "server",
    `${client.url}: ${oneLine(error instanceof Error ? error.message : String(error))}`,
  );
};
