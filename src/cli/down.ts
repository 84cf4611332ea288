import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, connect } from "../client/client.ts";
import { AgentctlFile } from "../contract/link.ts";
import { RepriseError } from "../contract/problem.ts";
import type { SessionId } from "../contract/id.ts";
import {
  askToEnd,
  isRunning,
  type ProcessIdentity,
} from "../kit/process-identity.ts";
import { command } from "./command.ts";
import { findServer, readServerFile, runningServer } from "./connection.ts";
import { allSessions } from "./find.ts";
import { homeOf } from "./home.ts";
import { answer } from "./print.ts";
import { count } from "./text/age.ts";
import type { World } from "./world.ts";

/** A server that stops finishes what it answers; agentctl closes its files. */
const PATIENCE_MS = 30_000;

export const down = command({
  name: "down",
  summary: "Stop the server, and agentctl where no agent runs",
  about:
    "Stops what runs for this home. Agents that run go on, and agentctl with them; `reprise up` finds them again. With --pause they are stopped first, so that nothing is left; their sessions stay and can be resumed.",
  args: [],
  options: {
    pause: {
      kind: "flag",
      help: "first pause every session whose agent runs; a turn in progress is interrupted",
    },
  },
  examples: ["reprise down", "reprise down --pause"],
  async run({ options }, world) {
    const home = homeOf(world);
    const file = await readServerFile(home);
    const server = file === null ? null : await runningServer(file);
    const agents =
      server === null ? null : await agentsLeft(world, options.pause);
    if (server === null && options.pause)
      throw new RepriseError(
        "wrong_state",
        "No server runs for this home, and only a server pauses sessions. Start one with `reprise up` first.",
      );
    if (server !== null) await end("server", server);
    const agentctl = agents === null || agents.length === 0;
    const ended = agentctl && (await endAgentctl(home));
    const done = {
      server_stopped: server !== null,
      agentctl_stopped: ended,
      agents_running: agents?.length ?? null,
    };
    answer(world, done, () => words(done, world.program));
    return 0;
  },
});

/** Whose agents run when the server stops. */
const agentsLeft = async (
  world: World,
  pause: boolean,
): Promise<SessionId[]> => {
  const { REPRISE_URL: _, ...env } = world.env;
  const client = connect(await findServer({ env, cwd: world.cwd }));
  // One that is frozen would not stop either.
  await client.call("health", { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (pause)
    for (const id of await running(client)) await client.pauseSession(id);
  return running(client);
};

const running = async (client: Client): Promise<SessionId[]> => {
  const found: SessionId[] = [];
  for await (const { id, is_agent_running } of allSessions(client))
    if (is_agent_running) found.push(id);
  return found;
};

const endAgentctl = async (home: string): Promise<boolean> => {
  const text = await readFile(
    join(home, "agentctl", "agentctl.json"),
    "utf8",
  ).catch(() => "{}");
  const known = AgentctlFile.safeParse(parseJson(text)).data;
  if (known === undefined || !(await isRunning(known))) return false;
  await end("agentctl", known);
  return true;
};

const end = async (name: string, known: ProcessIdentity): Promise<void> => {
  if (await askToEnd(known, PATIENCE_MS)) return;
  throw new RepriseError(
    "timed_out",
    `The ${name} (pid ${known.pid}) was asked to stop and still runs. \`kill -9 ${known.pid}\` ends it; nothing that was acknowledged is lost.`,
  );
};

const words = (
  {
    server_stopped,
    agentctl_stopped,
    agents_running,
  }: {
    server_stopped: boolean;
    agentctl_stopped: boolean;
    agents_running: number | null;
  },
  program: string,
): string => {
  if (!server_stopped)
    return agentctl_stopped
      ? "No server ran here. agentctl is stopped."
      : "Nothing ran here.";
  if (agents_running === null || agents_running === 0)
    return `The server is stopped${agentctl_stopped ? ", and so is agentctl" : ""}. No agents are running.`;
  const one = agents_running === 1;
  return `The server is stopped. ${count(agents_running, "agent")} ${one ? "goes" : "go"} on running with agentctl; \`${program} up\` finds ${one ? "it" : "them"} again. To stop ${one ? "it" : "them"} too: \`${program} up\`, then \`${program} down --pause\`.`;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
