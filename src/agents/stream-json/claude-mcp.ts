import type { McpServer } from "@agentclientprotocol/sdk/unstable";

/**
 * MCP servers for Claude's `--mcp-config`. Everybody on the machine can read a command line, so values travel in the
 * environment, and the configuration names the variables.
 */
export const claudeMcp = (
  servers: readonly McpServer[],
): { args: string[]; env: Record<string, string> } => {
  if (servers.length === 0) return { args: [], env: {} };
  const env: Record<string, string> = {};
  const hidden = (pairs: readonly { name: string; value: string }[]) =>
    Object.fromEntries(
      pairs.map(({ name, value }) => {
        const variable = `REPRISE_MCP_${Object.keys(env).length}`;
        env[variable] = value;
        return [name, `\${${variable}}`];
      }),
    );
  const mcpServers = Object.fromEntries(
    servers.map((server) => [server.name, configOf(server, hidden)]),
  );
  return { args: [`--mcp-config=${JSON.stringify({ mcpServers })}`], env };
};

type Hidden = (
  pairs: readonly { name: string; value: string }[],
) => Record<string, string>;

const configOf = (server: McpServer, hidden: Hidden): object => {
  if ("command" in server)
    return {
      command: server.command,
      args: server.args,
      env: hidden(server.env),
    };
  if ("url" in server)
    return {
      type: server.type,
      url: server.url,
      headers: hidden(server.headers),
    };
  throw new Error(`${server.name} is offered in a way that a CLI cannot use`);
};
