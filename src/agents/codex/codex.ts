import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { codexMode } from "./codex-mode.ts";
import {
  codexHome,
  codexState,
  findRollout,
  writerLock,
} from "./codex-sessions.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";
import { lockHolders } from "../state/users.ts";

const program: Program = {
  name: "codex-acp",
  args: [],
  package: "@agentclientprotocol/codex-acp",
  version: "2.6.0",
};

const cli: Program = {
  name: "codex",
  args: [],
  package: "@openai/codex",
  version: "0.166.0",
};

export const codex: Agent = {
  id: "codex",
  name: "Codex",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, {}),
  cli: {
    dialect: "codex",
    program: cli.name,
    locate: locating(cli, {}),
    install: installOf(cli),
  },
  login: {
    ...loginBy(cli, "login"),
    variables: LOGIN_VARIABLES.codex,
    files: [{ root: "CODEX_HOME", name: "auth.json" }],
    // Its configuration may name a provider of its own.
    otherwise: "unknown",
  },
  home: codexHome,
  asks: (mode) => (mode === "agent-full-access" ? "none" : "some"),
  ownMode: codexMode,
  transcript: findRollout,
  users: (where, token) => lockHolders(writerLock(where, token)),
  state: codexState,
  isUnknownSession: ({ code, message, data }) =>
    code === RESOURCE_NOT_FOUND ||
    /no rollout found|thread not found/.test(
      `${message} ${JSON.stringify(data) ?? ""}`,
    ),
};
