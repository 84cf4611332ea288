/**
 * What MCP servers are given as variables and headers is secret, and so are the parts of their addresses and arguments
 * that may be credentials. A session's definition is in its journal, so it holds references only; the values go with the
 * session's environment and are filled in when the agent is told of the servers.
 */
import type { AgentDefinition, McpServer } from "./agent.ts";
import { hideInArgs, hideInUrl } from "../../kit/data/hide-credentials.ts";

const PREFIX = "REPRISE_MCP_";
const REFERENCE = /\$\{(REPRISE_MCP_\d+)\}/g;
/** What people see in the place of a value. */
export const HIDDEN = "‹hidden›";

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
  return {
    servers: servers.map((server) =>
      mapped(server, {
        value: hide,
        url: (url) => (isReference(url) ? hide(url) : hideInUrl(url, hide)),
        // A text that looks like a reference must not become one.
        args: (args) =>
          args.some(isReference) ? args.map(hide) : hideInArgs(args, hide),
      }),
    ),
    values,
  };
};

/** The servers as the agent is told of them. What is not there any more, after an import say, is empty. */
export const filledIn = (
  servers: readonly McpServer[],
  env: Readonly<Record<string, string>>,
): McpServer[] => replaced(servers, (name) => env[name] ?? "");

/** The definition as people see it. */
export const withHidden = (definition: AgentDefinition): AgentDefinition =>
  definition.mcp_servers === undefined
    ? definition
    : {
        ...definition,
        mcp_servers: replaced(definition.mcp_servers, () => HIDDEN),
      };

export const isSetAside = (name: string): boolean => name.startsWith(PREFIX);

/** What was set aside of each server, in words: `the header Authorization of remote`. */
export const describeSetAside = (servers: readonly McpServer[]): string[] =>
  servers.flatMap((server) => {
    const of = (what: string): string => `${what} of ${server.name}`;
    const named = (
      what: string,
      record: Readonly<Record<string, string>> = {},
    ): string[] =>
      Object.entries(record)
        .filter(([, value]) => isReference(value))
        .map(([name]) => of(`the ${what} ${name}`));
    return [
      ...named("variable", server.env),
      ...named("header", server.headers),
      ...(isReference(server.url ?? "") ? [of("parts of the address")] : []),
      ...([server.command ?? "", ...(server.args ?? [])].some(isReference)
        ? [of("parts of the command")]
        : []),
    ];
  });

const isReference = (text: string): boolean => text.search(REFERENCE) !== -1;

const replaced = (
  servers: readonly McpServer[],
  by: (name: string) => string,
): McpServer[] => {
  const text = (value: string): string =>
    value.replace(REFERENCE, (_, name: string) => by(name));
  return servers.map((server) =>
    mapped(server, {
      value: text,
      url: text,
      args: (args) => args.map(text),
    }),
  );
};

const mapped = (
  { command, args, env, url, headers, ...server }: McpServer,
  each: {
    value: (value: string) => string;
    url: (url: string) => string;
    args: (args: readonly string[]) => string[];
  },
): McpServer => ({
  ...server,
  ...(command === undefined ? {} : { command: each.args([command]).join("") }),
  ...(args === undefined ? {} : { args: each.args(args) }),
  ...(env === undefined ? {} : { env: mapValues(env, each.value) }),
  ...(url === undefined ? {} : { url: each.url(url) }),
  ...(headers === undefined ? {} : { headers: mapValues(headers, each.value) }),
});

const mapValues = (
  record: Readonly<Record<string, string>>,
  each: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, each(value)]),
  );
