import { resolve } from "node:path";
import { AgentId } from "../../contract/agent/agent.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { placeIn, placeOptions } from "../session/shared/place.ts";

export const acp = command({
  name: "acp",
  summary: "Run as an ACP agent, for editors",
  about:
    "Editors that speak the Agent Client Protocol start it and talk to it over standard input and output. Sessions outlive the editor. It starts a server when none runs.",
  args: [],
  options: {
    agent: {
      kind: "text",
      value: "A",
      required: true,
      help: "the agent behind it; `reprise agents` lists them",
    },
    profile: {
      kind: "text",
      value: "NAME",
      help: "a profile of config.json with this agent, which new sessions get",
    },
    ...placeOptions,
    home: {
      kind: "text",
      value: "DIR",
      help: "where everything is kept; default REPRISE_HOME or ~/.reprise",
    },
    url: {
      kind: "text",
      value: "URL",
      help: "a server that runs elsewhere; default the one of the home",
    },
    login: {
      kind: "flag",
      help: "log in to the agent in this terminal, and do nothing else",
    },
  },
  examples: [
    "reprise acp --agent demo",
    "reprise acp --agent demo --executor docker --image debian:12",
  ],
  async run({ options }, world) {
    if (!AgentId.safeParse(options.agent).success)
      throw new UsageError(
        `"${options.agent}" is not the name of an agent: lower-case letters, digits and dashes.`,
      );
    const { profile } = options;
    if (profile !== undefined && !AgentId.safeParse(profile).success)
      throw new UsageError(
        `"${profile}" is not the name of a profile: lower-case letters, digits and dashes.`,
      );
    return world.programs.acp({
      agent: options.agent,
      profile,
      place: placeIn(options),
      version: world.version,
      cwd: world.cwd,
      login: options.login,
      env: {
        ...world.env,
        ...(options.home !== undefined && {
          REPRISE_HOME: resolve(world.cwd, options.home),
        }),
        ...(options.url !== undefined && { REPRISE_URL: options.url }),
      },
    });
  },
});
