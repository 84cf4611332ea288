import { join } from "node:path";
import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import { rootOf } from "../state/agent-home.ts";
import type { Agent } from "../agent/agent.ts";
import { claudeAsks, claudeOptions } from "./claude-options.ts";
import {
  claudeHome,
  claudeState,
  findClaudeSession,
} from "./claude-sessions.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";
import { claimedInFiles } from "../state/users.ts";

const program: Program = {
  name: "claude-agent-acp",
  args: [],
  package: "@agentclientprotocol/claude-agent-acp",
  version: "0.99.0",
};

const cli: Program = {
  name: "claude",
  args: [],
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
};

/** Set by a Claude that runs us; one inside another refuses to start. */
const OUTER = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"];

const environment = {
  defaults: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  },
  // As root it takes this for leave to ask for no permission at all.
  unset: process.getuid?.() === 0 ? [...OUTER, "IS_SANDBOX"] : OUTER,
};

export const claude: Agent = {
  id: "claude",
  name: "Claude Code",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, environment),
  cli: {
    dialect: "claude",
    program: cli.name,
    locate: locating(cli, environment),
    install: installOf(cli),
  },
  login: {
    ...loginBy(cli, "/login"),
    variables: LOGIN_VARIABLES.claude,
    files: [{ root: "CLAUDE_CONFIG_DIR", name: ".credentials.json" }],
    otherwise: process.platform === "darwin" ? "unknown" : "no",
  },
  home: claudeHome,
  options: claudeOptions,
  asks: claudeAsks,
  quirks: {
    // It wrote a turn down only when the turn was over: a kill lost the last one.
    corrections: [{ upTo: "0.49.0", without: ["resume", "load"] }],
  },
  transcript: findClaudeSession,
  users: (where, token) =>
    claimedInFiles(
      join(rootOf(claudeHome, "CLAUDE_CONFIG_DIR", where), "sessions"),
      token,
    ),
  state: claudeState,
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};
