/** The programs that can be told of Reprise: where each keeps its MCP servers, and in which form. */
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Surroundings } from "../../local/surroundings.ts";
import type { TomlTable } from "./edit-toml.ts";

export const CLIENTS = [
  "claude",
  "codex",
  "opencode",
  "gemini",
  "copilot",
] as const;
export type McpClient = (typeof CLIENTS)[number];

/** How Reprise is reached: a program that is started, or a server that runs. */
export type Reach =
  | { kind: "stdio"; command: string; args: readonly string[] }
  | { kind: "http"; url: string; token: string };

/** What the entry is called in all of them. */
export const ENTRY = "reprise";

interface JsonClient {
  name: string;
  format: "json";
  section: string;
  file(env: Surroundings["env"]): Promise<string>;
  entry(reach: Reach): Readonly<Record<string, unknown>>;
}

interface TomlClient {
  name: string;
  format: "toml";
  section: string;
  file(env: Surroundings["env"]): Promise<string>;
  entry(reach: Reach): TomlTable;
}

const inHome = (env: Surroundings["env"], variable: string, folder: string) => {
  const moved = env[variable];
  return moved === undefined || moved === ""
    ? join(env["HOME"] ?? homedir(), folder)
    : moved;
};

const headersFor = (token: string) => ({ Authorization: `Bearer ${token}` });

export const clients: Readonly<Record<McpClient, JsonClient | TomlClient>> = {
  claude: {
    name: "Claude Code",
    format: "json",
    section: "mcpServers",
    file: async (env) =>
      join(inHome(env, "CLAUDE_CONFIG_DIR", ""), ".claude.json"),
    entry: (reach) =>
      reach.kind === "http"
        ? { type: "http", url: reach.url, headers: headersFor(reach.token) }
        : {
            type: "stdio",
            command: reach.command,
            args: reach.args,
            // Its first request waits for our tools.
            alwaysLoad: true,
          },
  },
  codex: {
    name: "Codex",
    format: "toml",
    section: "mcp_servers",
    file: async (env) =>
      join(inHome(env, "CODEX_HOME", ".codex"), "config.toml"),
    entry: (reach) =>
      reach.kind === "http"
        ? { url: reach.url, http_headers: headersFor(reach.token) }
        : { command: reach.command, args: reach.args },
  },
  opencode: {
    name: "OpenCode",
    format: "json",
    section: "mcp",
    file: async (env) => {
      const folder = join(
        inHome(env, "XDG_CONFIG_HOME", ".config"),
        "opencode",
      );
      const commented = join(folder, "opencode.jsonc");
      return (await isThere(commented))
        ? commented
        : join(folder, "opencode.json");
    },
    entry: (reach) =>
      reach.kind === "http"
        ? { type: "remote", url: reach.url, headers: headersFor(reach.token) }
        : { type: "local", command: [reach.command, ...reach.args] },
  },
  gemini: {
    name: "Gemini CLI",
    format: "json",
    section: "mcpServers",
    file: async (env) =>
      join(inHome(env, "GEMINI_CLI_HOME", ""), ".gemini", "settings.json"),
    entry: (reach) =>
      reach.kind === "http"
        ? { url: reach.url, type: "http", headers: headersFor(reach.token) }
        : { command: reach.command, args: reach.args },
  },
  copilot: {
    name: "Copilot CLI",
    format: "json",
    section: "mcpServers",
    file: async (env) =>
      join(inHome(env, "COPILOT_HOME", ".copilot"), "mcp-config.json"),
    entry: (reach) => ({
      tools: ["*"],
      ...(reach.kind === "http"
        ? { type: "http", url: reach.url, headers: headersFor(reach.token) }
        : { type: "local", command: reach.command, args: reach.args }),
    }),
  },
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
