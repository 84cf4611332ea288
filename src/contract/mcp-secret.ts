/**
 * What MCP servers are given as variables and headers is secret. A session's definition is in its journal, so it holds
 * names only; the values go with the session's environment and are filled in when the agent is told of the servers.
 */
import type { McpServer } from "./agent.ts";

const PREFIX = "REPRISE_MCP_";
const REFERENCE = /^\$\{(REPRISE_MCP_\d+)\}$/;

export interface SetAside {
  servers: McpServer[];
  /** By the names that stand in their place. */
  values: Record<string, string>;
}

export const setAside = (servers: readonly McpServer[]): SetAside => {
  const values: Record<string, string> = {};
  const hide = (value: string): string => {
    const name = `${PREFIX}${Object.keys(values).length + 1}`;
    values[name] = value;
    return `\${${name}}`;
  };
  return { servers: servers.map((server) => mapped(server, hide)), values };
};

export const filledIn = (
  servers: readonly McpServer[],
  env: Readonly<Record<string, string>>,
): McpServer[] =>
  servers.map((server) =>
    mapped(server, (value) => {
      const name = REFERENCE.exec(value)?.[1];
      return name === undefined ? value : (env[name] ?? "");
    }),
  );

export const isSetAside = (name: string): boolean => name.startsWith(PREFIX);

const mapped = (
  { env, headers, ...server }: McpServer,
  each: (value: string) => string,
): McpServer => ({
  ...server,
  ...(env === undefined ? {} : { env: mapValues(env, each) }),
  ...(headers === undefined ? {} : { headers: mapValues(headers, each) }),
});

const mapValues = (
  record: Readonly<Record<string, string>>,
  each: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, each(value)]),
  );
