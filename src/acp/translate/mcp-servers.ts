/** The MCP servers of an editor, for the definition of a session. */
import type { McpServer as AcpMcpServer } from "@agentclientprotocol/sdk";
import type { McpServer } from "../../contract/agent/agent.ts";
import { unusable } from "./failure.ts";

export const mcpServersOf = (servers: readonly AcpMcpServer[]): McpServer[] =>
  servers.map(serverOf);

const serverOf = (server: AcpMcpServer): McpServer => {
  if (!("type" in server))
    return {
      name: server.name,
      command: server.command,
      args: server.args,
      env: recordOf(server.env),
    };
  if (server.type === "http")
    return {
      name: server.name,
      url: server.url,
      headers: recordOf(server.headers),
    };
  throw unusable(
    `The MCP server ${server.name} speaks SSE, which is not supported. Use HTTP or a command.`,
  );
};

const recordOf = (
  pairs: readonly { name: string; value: string }[],
): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
