import type { AgentView } from "../contract/agent.ts";
import { command } from "./command.ts";
import { answer } from "./print.ts";
import { oneLine } from "./sanitize.ts";
import type { Palette } from "./text/palette.ts";
import { type Cell, table } from "./text/table.ts";

export const agents = command({
  name: "agents",
  summary: "List the agents the server can run, and what each can do",
  about:
    "Those that come with Reprise, and those that config.json defines. RESUME is the best that can be done when the process is gone.",
  args: [],
  options: {},
  examples: [
    "reprise agents",
    "reprise agents --json | jq -r '.agents[] | select(.installed).id'",
  ],
  async run(_, world) {
    const client = await world.client();
    const page = await client.listAgents();
    answer(world, page, () =>
      table(
        [
          ["ID", "INSTALLED", "RESUME", "NAME"].map((text) => ({
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
  agent.installed
    ? { text: oneLine(agent.version ?? "yes"), paint: palette.green }
    : { text: "no", paint: palette.dim },
  { text: memoryOf(agent) },
  {
    text: oneLine(
      agent.install === null
        ? agent.name
        : `${agent.name} (install: ${agent.install})`,
    ),
  },
];

/** The best it can do when its process is gone. */
const memoryOf = (agent: AgentView): string => {
  if (agent.native_session_resume) return "native";
  return agent.history_context_injection ? "injected" : "fresh";
};
