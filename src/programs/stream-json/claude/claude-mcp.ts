import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import {
  type Hide,
  hideInArgs,
  hideInUrl,
} from "../../../kit/data/hide-credentials.ts";

/**
 * MCP servers for Claude's `--mcp-config`. Everybody on the machine can read a command line, so values travel in the
 * environment, and the configuration names the variables: Claude puts them in, also within addresses and arguments.
 */
export const claudeMcp = (
  servers: readonly McpServer[],
): { args: string[]; env: Record<string, string> } => {
  if (servers.length === 0) return { args: [], env: {} };
  const env: Record<string, string> = {};
  const hide = (value: string): string => {
    const variable = `REPRISE_MCP_${Object.keys(env).length}`;
    env[variable] = value;
    return `\${${variable}}`;
  };
  const mcpServers = Object.fromEntries(
    servers.map((server) => [server.name, configOf(server, hide)]),
  );
  return { args: [`--mcp-config=${JSON.stringify({ mcpServers })}`], env };
};

const configOf = (server: McpServer, hide: Hide): object => {
  const hidden = (pairs: readonly { name: string; value: string }[]) =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, hide(value)]));
  if ("command" in server)
    return {
      command: server.command,
      args: hideInArgs(server.args, hide),
      env: hidden(server.env),
    };
  if ("url" in server)
    return {
      type: server.type,
      url: hideInUrl(server.url, hide),
      headers: hidden(server.headers),
    };
  throw new Error(`${server.name} is offered in a way that a CLI cannot use`);
};
