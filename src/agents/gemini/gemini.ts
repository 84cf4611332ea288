import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { findChat, geminiHome } from "./gemini-chats.ts";
import { geminiState } from "./gemini-state.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";
import { namedOnCommandLines } from "../state/users.ts";

const program: Program = {
  name: "gemini",
  args: ["--acp"],
  package: "@google/gemini-cli",
  version: "0.61.0",
};

export const gemini: Agent = {
  id: "gemini",
  name: "Gemini CLI",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, {
    defaults: { GEMINI_CLI_NO_RELAUNCH: "true" },
    // A load leaves an empty chat beside the real one. Its clean-up takes both for broken and removes them.
    files: {
      GEMINI_CLI_SYSTEM_DEFAULTS_PATH: JSON.stringify({
        general: {
          enableAutoUpdate: false,
          sessionRetention: { enabled: false },
        },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
  login: {
    ...loginBy(program, ""),
    variables: LOGIN_VARIABLES.gemini,
    files: [{ root: "GEMINI_CLI_HOME", name: ".gemini/oauth_creds.json" }],
    // Newer versions keep the login in the keychain of the system.
    otherwise: "unknown",
  },
  home: geminiHome,
  quirks: {
    replayTrails: true,
    notBefore: async (where, token) => {
      const path = await findChat(where, token);
      return path === null ? null : minuteAfter(path);
    },
  },
  asks: (mode) => (mode === "yolo" ? "none" : "some"),
  transcript: findChat,
  users: async (_, token) => namedOnCommandLines(token),
  state: geminiState,
  isUnknownSession: ({ code, message, data }) =>
    code === RESOURCE_NOT_FOUND ||
    /no previous sessions found|invalid session identifier/i.test(
      `${message} ${JSON.stringify(data) ?? ""}`,
    ),
};

const MINUTE_MS = 60_000;

/**
 * A load begins a chat of its own, named by the minute and the session's id. Within the minute of the session's
 * beginning that is the session's own file, which is then taken for empty.
 */
const minuteAfter = (path: string): number | null => {
  const stamp = /session-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-/.exec(path);
  if (stamp === null) return null;
  return Date.parse(`${stamp[1]}:${stamp[2]}:00Z`) + MINUTE_MS;
};
