import type { AgentView } from "../../contract/agent/agent.ts";
import type { ProfileView } from "../../contract/agent/profile-view.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { agentsHere, howToLogIn } from "../server/login.ts";
import type { World } from "../terminal/world.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { Palette } from "../terminal/palette.ts";
import { type Cell, table } from "../terminal/table.ts";

export const agents = command({
  name: "agents",
  summary: "List the agents the server can run, and what each can do",
  about:
    "Those that come with Reprise, and those that config.json defines, as a session that is started from this terminal would find them. RESUME is the best that can be done when the process is gone. LOGIN is what files and variables tell, those of this terminal too. `?` is what cannot be told before the agent runs. An agent that is marked (npx) is not installed: it is fetched when it is first started. Below them are the profiles of config.json, with what each sets and the variables that its agent gets.",
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
    const { agents: found, profiles = [] } =
      host === undefined
        ? await agentsHere(client, world)
        : await client.call("listAgents", { query: { host } });
    const page = { agents: found, next: null, profiles };
    answer(world, page, () =>
      [agentTable(found, world), profileTable(profiles, world)]
        .filter((text) => text !== null)
        .join("\n"),
    );
    return 0;
  },
});

const agentTable = (found: readonly AgentView[], { out }: World): string =>
  table(
    [
      headOf(["ID", "INSTALLED", "LOGIN", "RESUME", "NAME"], out.palette),
      ...found.map((each) => row(each, out.palette)),
    ],
    out.columns,
  );

const profileTable = (
  profiles: readonly ProfileView[],
  { out }: World,
): string | null =>
  profiles.length === 0
    ? null
    : table(
        [
          headOf(["PROFILE", "AGENT", "MODEL", "MODE", "SETS"], out.palette),
          ...profiles.map(({ id, agent, model, mode, sets, env_names }) => [
            { text: id },
            { text: agent },
            { text: oneLine(model ?? "-") },
            { text: oneLine(mode ?? "-") },
            { text: setsOf(sets, env_names) },
          ]),
        ],
        out.columns,
      );

/** Besides the model and the mode. */
const setsOf = (
  sets: readonly string[],
  env_names: readonly string[],
): string => {
  const others = sets.filter(
    (field) => !["model", "mode", "env"].includes(field),
  );
  const all = [...others, ...env_names];
  return all.length === 0 ? "-" : oneLine(all.join(", "));
};

const headOf = (names: readonly string[], { dim }: Palette): Cell[] =>
  names.map((text) => ({ text, paint: dim }));

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
