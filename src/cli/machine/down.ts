import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../../client/client.ts";
import { ExecutionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { hasErrno } from "../../kit/errno.ts";
import { marksInUse } from "../../kit/processes/marked-processes.ts";
import {
  askToEnd,
  isRunning,
  type ProcessIdentity,
} from "../../kit/processes/process-identity.ts";
import { readAgentctlFile } from "../server/agentctl-file.ts";
import { command } from "../parsing/command.ts";
import {
  checkHome,
  findServer,
  findServerProcess,
  readServerFile,
} from "../../local/find-server.ts";
import { homeOf } from "../../local/home.ts";
import { allSessions, collect } from "../../client/pages.ts";
import { answer } from "../terminal/print.ts";
import { count } from "../terminal/age.ts";
import { cutBetween } from "../text/cut-off.ts";
import type { World } from "../terminal/world.ts";

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
  exits: { 4: "agents run, and no server that could pause them" },
  async run({ options }, world) {
    const home = homeOf(world);
    await checkHome(home);
    const server = await findServerProcess(home);
    const paused = options.pause
      ? await pauseAll(world, home, server !== null)
      : NOTHING_PAUSED;
    if (server !== null) await end("server", server);
    // Looked for once no server can start another one.
    const agents_running = await countAgents(home);
    const done: Done = {
      ...paused,
      server_stopped: server !== null,
      agentctl_stopped: agents_running === 0 && (await endAgentctl(home)),
      agents_running,
    };
    answer(world, done, () => words(done, world.program));
    return 0;
  },
});

interface Paused {
  sessions_paused: number;
  turns_interrupted: number;
  questions_closed: number;
}

interface Done extends Paused {
  server_stopped: boolean;
  agentctl_stopped: boolean;
  agents_running: number;
}

const NOTHING_PAUSED: Readonly<Paused> = {
  sessions_paused: 0,
  turns_interrupted: 0,
  questions_closed: 0,
};

const pauseAll = async (
  world: World,
  home: string,
  isServerRunning: boolean,
): Promise<Paused> => {
  const paused = { ...NOTHING_PAUSED };
  if (!isServerRunning) {
    if ((await countAgents(home)) === 0) return paused;
    throw new RepriseError(
      "wrong_state",
      "No server runs for this home, and only a server pauses sessions. Start one with `reprise up` first.",
    );
  }
  if ((await readServerFile(home)) === null)
    throw new RepriseError(
      "wrong_state",
      "The server of this home is starting. Try again when it serves.",
    );
  // What the environment says may be about another server.
  const { REPRISE_URL: _, REPRISE_TOKEN: __, ...env } = world.env;
  const client = connect(await findServer({ env, cwd: world.cwd }));
  // One that is frozen would not stop either.
  const limit = AbortSignal.timeout(PATIENCE_MS);
  await client.call("health", { signal: limit }).catch((error: unknown) => {
    throw limit.aborted ? frozen() : error;
  });
  for (const { id } of (await collect(allSessions(client))).filter(hasAgent)) {
    // What it asks by now may be more than the list had.
    const before = await client.showSession(id);
    const after = await client.pauseSession(id).catch(unlessOver);
    if (after === null) continue;
    const cut = cutBetween(before, after);
    paused.sessions_paused += 1;
    paused.turns_interrupted += cut.turns.length;
    paused.questions_closed += cut.questions.length;
  }
  return paused;
};

const frozen = (): RepriseError =>
  new RepriseError(
    "timed_out",
    "The server of this home does not answer, so nothing was paused and nothing stopped. `reprise up --take-over` puts another in its place.",
  );

const hasAgent = ({ is_agent_running, state }: Session): boolean =>
  is_agent_running || state === "STARTING";

/** Its agent ended, or failed to start, before it was its turn to be paused. */
const unlessOver = (error: unknown): null => {
  const isOver =
    error instanceof RepriseError &&
    (error.code === "session_ended" || error.code === "wrong_state");
  if (!isOver) throw error;
  return null;
};

/** The processes themselves are looked for: no server has to run for that, and an agent that is only being started is found. */
const countAgents = async (home: string): Promise<number> => {
  const directory = join(home, "agentctl", "executions");
  const names = await readdir(directory).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  });
  const marks = names
    .filter((name) => ExecutionId.safeParse(name).success)
    .map((execution) => `REPRISE_EXECUTION=${execution}`);
  // A process that is just starting another program shows an empty environment for an instant: so it is looked twice.
  const found = await marksInUse(marks);
  return found.union(await marksInUse(marks)).size;
};

const endAgentctl = async (home: string): Promise<boolean> => {
  const known = await readAgentctlFile(home);
  if (typeof known === "string" || !(await isRunning(known))) return false;
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

const words = (done: Done, program: string): string =>
  [pausedWords(done, program), stoppedWords(done, program)].join("");

const pausedWords = (
  { sessions_paused, turns_interrupted, questions_closed }: Paused,
  program: string,
): string => {
  if (sessions_paused === 0) return "";
  const parts = [
    `${count(sessions_paused, "session")} paused`,
    ...(turns_interrupted === 0
      ? []
      : [`${count(turns_interrupted, "turn")} interrupted`]),
    ...(questions_closed === 0
      ? []
      : [`${count(questions_closed, "question")} closed`]),
  ];
  const what = sessions_paused === 1 ? "it" : "them";
  const where = turns_interrupted === 0 ? what : "what waits for your decision";
  return `${parts.join(", ")}. After \`${program} up\`, \`${program} session list\` shows ${where}.\n`;
};

const stoppedWords = (
  { server_stopped, agentctl_stopped, agents_running }: Done,
  program: string,
): string => {
  const server = server_stopped
    ? "The server is stopped"
    : "No server ran here";
  if (agents_running > 0) {
    const one = agents_running === 1;
    return `${server}. ${count(agents_running, "agent")} ${one ? "goes" : "go"} on running with agentctl; \`${program} up\` finds ${one ? "it" : "them"} again. To stop ${one ? "it" : "them"} too: \`${program} up\`, then \`${program} down --pause\`.`;
  }
  if (!server_stopped)
    return agentctl_stopped
      ? `${server}. agentctl is stopped.`
      : "Nothing ran here.";
  return `${server}${agentctl_stopped ? ", and so is agentctl" : ""}. No agents are running.`;
};
