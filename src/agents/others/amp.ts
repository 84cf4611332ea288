import { LOGIN_VARIABLES } from "../../contract/agent/login-variables.ts";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { locating } from "../launch/npm-agent.ts";
import { installOf, loginBy, type Program } from "../launch/program.ts";

/** The adapter is not Amp's own, and no version of it has been tried: npx must not pick one. */
const program: Program = {
  name: "amp-acp",
  args: [],
  package: "amp-acp",
  version: null,
};

const cli: Program = {
  name: "amp",
  args: [],
  package: "@ampcode/cli",
  version: "0.0.1790142911-g7618fb",
};

const environment = { defaults: { AMP_SKIP_UPDATE_CHECK: "1" } };

/** Its threads are kept by its service, not here. Nothing beyond its login has been tried. */
export const amp: Agent = {
  id: "amp",
  name: "Amp",
  driver: "acp",
  native: true,
  injection: true,
  install: installOf(program),
  program: program.name,
  locate: locating(program, environment),
  cli: {
    dialect: "amp",
    program: cli.name,
    locate: locating(cli, environment),
    install: installOf(cli),
  },
  login: {
    ...loginBy(cli, "login"),
    variables: LOGIN_VARIABLES.amp,
    files: [{ root: "XDG_DATA_HOME", name: "amp/secrets.json" }],
    otherwise: "no",
  },
  home: {
    roots: { XDG_CONFIG_HOME: ".config", XDG_DATA_HOME: ".local/share" },
    alone: "amp",
    settings: [{ root: "XDG_CONFIG_HOME", name: "amp/settings.json" }],
  },
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};
