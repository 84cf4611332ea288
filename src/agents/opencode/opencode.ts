import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { locating } from "../launch/npm-agent.ts";
import { directoryOf } from "./opencode-database.ts";
import { opencodeHome, opencodeProgram } from "./opencode-program.ts";
import { opencodeState } from "./opencode-state.ts";
import { installOf, loginBy } from "../launch/program.ts";
import { namedOnCommandLines } from "../state/users.ts";

/** Its sessions are rows of one database, so there is no file to verify a resume with: its replay does that. */
export const opencode: Agent = {
  id: "opencode",
  name: "OpenCode",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(opencodeProgram),
  program: opencodeProgram.name,
  locate: locating(opencodeProgram, {
    defaults: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    },
  }),
  login: {
    ...loginBy(opencodeProgram, "auth login"),
    variables: LOGIN_VARIABLES.opencode,
    files: [{ root: "XDG_DATA_HOME", name: "opencode/auth.json" }],
    // It brings models that need no login, and its configuration may name others.
    otherwise: "unknown",
  },
  home: opencodeHome,
  quirks: {
    // In another directory it goes on in the old one, and answers to its questions are lost.
    // What we cannot read OpenCode may: then it says itself what it thinks of the session.
    boundTo: async (where, token) => {
      try {
        return await directoryOf(where, token);
      } catch {
        return null;
      }
    },
  },
  users: async (_, token) => namedOnCommandLines(token),
  state: opencodeState,
  isUnknownSession: ({ code, message, data }) =>
    code === RESOURCE_NOT_FOUND ||
    /session not found|notfounderror/i.test(
      `${message} ${JSON.stringify(data) ?? ""}`,
    ),
};
