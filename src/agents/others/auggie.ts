import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";

const program: Program = {
  name: "auggie",
  args: ["--acp"],
  package: "@augmentcode/auggie",
  version: "0.36.0",
};

/** Tried up to its login, which it wants before it opens a session. What it keeps of one is not known, so a resume is verified by its replay. */
export const auggie: Agent = {
  id: "auggie",
  name: "Auggie",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, {
    defaults: { AUGMENT_DISABLE_AUTO_UPDATE: "1" },
  }),
  login: {
    ...loginBy(program, "login"),
    variables: LOGIN_VARIABLES.auggie,
    files: [{ root: "HOME", name: ".augment/session.json" }],
    otherwise: "no",
  },
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};
