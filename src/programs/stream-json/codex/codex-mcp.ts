import type { McpServer } from "@agentclientprotocol/sdk/unstable";
import { hideInArgs, hideInUrl } from "../../../kit/data/hide-credentials.ts";

/** MCP servers as overrides of Codex's configuration. Values go through the environment: a command line is public. */
export const codexMcp = (
  servers: readonly McpServer[],
): { args: string[]; env: Record<string, string> } => {
  const env: Record<string, string> = {};
  const give = (server: string, name: string, value: string): void => {
    if ((env[name] ?? value) !== value)
      throw new Error(
        `${server} and another MCP server want different values of ${name}, and Codex's CLI has one environment for all of them`,
      );
    env[name] = value;
  };
  const args = servers.flatMap((server) => {
    const set = (key: string, value: string): string[] => [
      "-c",
      `mcp_servers.${JSON.stringify(server.name)}.${key}=${value}`,
    ];
    const refuse = (): never => {
      throw new Error(
        `The MCP server ${server.name} has what looks like a credential in its address or arguments, and Codex's CLI would show it on its command line. Give it as a variable or as a header`,
      );
    };
    if ("command" in server) {
      hideInArgs(server.args, refuse);
      for (const { name, value } of server.env) give(server.name, name, value);
      return [
        ...set("command", toml(server.command)),
        ...set("args", list(server.args)),
        ...set("env_vars", list(server.env.map(({ name }) => name))),
      ];
    }
    if (!("url" in server))
      throw new Error(
        `${server.name} is offered in a way that a CLI cannot use`,
      );
    hideInUrl(server.url, refuse);
    const headers = server.headers.map(({ name, value }) => {
      const variable = `REPRISE_MCP_${Object.keys(env).length}`;
      env[variable] = value;
      return `${toml(name)}=${toml(variable)}`;
    });
    return [
      ...set("url", toml(server.url)),
      ...set("env_http_headers", `{${headers.join(",")}}`),
    ];
  });
  return { args, env };
};

/** A JSON string without characters beyond TOML's is a TOML string. */
const toml = (text: string): string => JSON.stringify(text);

const list = (texts: readonly string[]): string =>
  `[${texts.map(toml).join(",")}]`;
