import type { AgentView } from "../../contract/agent/agent.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { agentsHere, howToLogIn } from "../server/login.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { Palette } from "../terminal/palette.ts";
import { type Cell, table } from "../terminal/table.ts";

export const agents = command({
  name: "agents",
  summary: "List the agents the server can run, and what each can do",
  about:
    "Those that come with Reprise, and those that config.json defines, as a session that is started from this terminal would find them. RESUME is the best that can be done when the process is gone. LOGIN is what files and variables tell, those of this terminal too. `?` is what cannot be told before the agent runs. An agent that is marked (npx) is not installed: it is fetched when it is first started.",
  args: [],
  options: {
    host: {
      kind: "text",
      value: "NAME",
      help: "those on this host; `reprise executors` lists them",
    },
  },
  examples: [
    "reprise agents",
    "reprise agents --json | jq -r '.agents[] | select(.installed).id'",
  ],
  async run({ options: { host } }, world) {
    const client = await world.client();
    const found =
      host === undefined
        ? await agentsHere(client, world)
        : (await client.call("listAgents", { query: { host } })).agents;
    const page = { agents: found, next: null };
    answer(world, page, () =>
      table(
        [
          ["ID", "INSTALLED", "LOGIN", "RESUME", "NAME"].map((text) => ({
            text,
            paint: world.out.palette.dim,
          })),
          ...page.agents.map((each) => row(each, world.out.palette)),
        ],
        world.out.columns,
      ),
    );
    return 0;
  },
});

const row = (agent: AgentView, palette: Palette): Cell[] => [
  { text: agent.id },
  installedCell(agent, palette),
  loginCell(agent, palette),
  { text: memoryOf(agent) },
  { text: oneLine(`${agent.name}${adviceOf(agent)}`) },
];

/** What npx would fetch is not installed, though it can be run. */
const installedCell = (agent: AgentView, { dim, green }: Palette): Cell => {
  const { installed, version, found } = agent;
  if (!installed) return { text: "no", paint: dim };
  if (found === "npx") return { text: "no (npx)", paint: dim };
  const where = found === "project" ? " (project)" : "";
  return { text: oneLine(`${version ?? "yes"}${where}`), paint: green };
};

const loginCell = ({ login }: AgentView, palette: Palette): Cell => {
  switch (login) {
    case "yes":
      return { text: "yes", paint: palette.green };
    case "no":
      return { text: "no", paint: palette.yellow };
    case "unknown":
    case undefined:
      return { text: "?", paint: palette.dim };
    default:
      return unreachable(login);
  }
};

/** What to run to make it usable. */
const adviceOf = (agent: AgentView): string => {
  const { install, login } = agent;
  const driver = agent.driver === "acp" ? "" : `, by ${agent.driver}`;
  if (install !== null) return `${driver} (install: ${install})`;
  const how = login === "yes" ? null : howToLogIn(agent);
  return how === null
    ? driver
    : `${driver} (${login === "no" ? "log in" : "if you have not logged in"}: ${[how.command, how.variables].filter((way) => way !== "").join(", or ")})`;
};

/** The best it can do when its process is gone. */
const memoryOf = (agent: AgentView): string => {
  if (agent.native_session_resume)
    return agent.configured === true ? "?" : "native";
  return agent.history_context_injection ? "injected" : "fresh";
};
