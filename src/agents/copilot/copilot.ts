import { dirname } from "node:path";
import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import {
  copilotHome,
  copilotState,
  findCopilotSession,
} from "./copilot-sessions.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";
import { claimedByNames } from "../state/users.ts";

const program: Program = {
  name: "copilot",
  args: ["--acp"],
  package: "@github/copilot",
  version: "1.0.102",
};

export const copilot: Agent = {
  id: "copilot",
  name: "GitHub Copilot",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, { defaults: { COPILOT_AUTO_UPDATE: "false" } }),
  login: {
    ...loginBy(program, "login"),
    variables: LOGIN_VARIABLES.copilot,
    files: [],
    // It keeps its token in the keychain of the system where there is one, and asks gh for one.
    otherwise: "unknown",
  },
  home: copilotHome,
  quirks: { counts: "execution" },
  variables: { model: "COPILOT_MODEL" },
  asks: (mode, { allow_all }) =>
    mode?.endsWith("#autopilot") === true || allow_all === "on"
      ? "none"
      : "some",
  // Its option says `off` all the same.
  allowsAll: ({ COPILOT_ALLOW_ALL = "" }) =>
    !["", "0", "false"].includes(COPILOT_ALLOW_ALL.toLowerCase()),
  transcript: findCopilotSession,
  users: async (where, token) => {
    const events = await findCopilotSession(where, token);
    return events === null ? [] : claimedByNames(dirname(events));
  },
  state: copilotState,
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};
