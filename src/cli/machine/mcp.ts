import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { connect } from "../../client/client.ts";
import { SessionId } from "../../contract/base/id.ts";
import { callerEnv } from "../../local/caller-env.ts";
import { findServer, ownServerAt } from "../../local/find-server.ts";
import { homeOf } from "../../local/home.ts";
import { reconnectingAddress } from "../../local/reconnecting-address.ts";
import type { Surroundings } from "../../local/surroundings.ts";
import { command } from "../parsing/command.ts";
import type { World } from "../terminal/world.ts";

export const mcp = command({
  name: "mcp",
  summary: "Run as an MCP server on standard input and output",
  about:
    "For programs that speak MCP: they start it themselves. It starts a server where none runs, and stays when the server goes. See docs/guide/mcp.md.",
  args: [],
  options: {
    home: {
      kind: "text",
      value: "DIR",
      help: "the home whose server it uses; default REPRISE_HOME or ~/.reprise",
    },
    url: {
      kind: "text",
      value: "URL",
      help: "the address of a server that runs elsewhere; its token is in REPRISE_TOKEN",
    },
    "on-cancel": {
      kind: "text",
      value: "WHAT",
      choices: ["detach", "cancel"],
      help: "what happens to a turn when the client gives up the call: detach, the agent goes on (default), or cancel",
    },
  },
  examples: ["reprise mcp", "reprise mcp --home ~/work/.reprise"],
  async run({ options }, world) {
    const where: Surroundings = {
      env: {
        ...world.env,
        ...(options.home !== undefined && {
          REPRISE_HOME: resolve(world.cwd, options.home),
        }),
        ...(options.url !== undefined && { REPRISE_URL: options.url }),
      },
      cwd: world.cwd,
    };
    const { executable } = world.programs;
    const closing = new AbortController();
    const stopListening = world.onSignal(() => closing.abort());
    await world.programs.mcp({
      client: connect(reconnectingAddress({ ...where, executable })),
      version: world.version,
      cwd: projectOf(world),
      callerEnv: () => callerEnv(where),
      sessionsDirectory: () => sessionsDirectory(where),
      stateKey: async () => (await findServer(where)).token ?? randomUUID(),
      onCancel: options["on-cancel"] ?? "detach",
      depth: depthOf(world),
      calledBy:
        SessionId.safeParse(world.env["REPRISE_SESSION_ID"]).data ?? null,
      closing: closing.signal,
    });
    stopListening();
    return 0;
  },
});

/** Claude Code starts its MCP servers where it likes, and says where the project is. */
const projectOf = ({ env, cwd }: World): string => {
  const project = env["CLAUDE_PROJECT_DIR"];
  return project === undefined || project === "" ? cwd : resolve(cwd, project);
};

/** Where the readable files of sessions are, if the server is the one of this home. */
const sessionsDirectory = async (
  where: Surroundings,
): Promise<string | null> => {
  const { url } = await findServer(where);
  return (await ownServerAt(url, where)) === null
    ? null
    : join(homeOf(where), "sessions");
};

/** An agent that a tool call started was told how deep it is; any other agent is the first. */
const depthOf = ({ env }: World): number => {
  const told = Number(env["REPRISE_CALL_DEPTH"]);
  if (Number.isInteger(told) && told > 0) return told;
  return env["REPRISE_EXECUTION"] === undefined ? 0 : 1;
};
