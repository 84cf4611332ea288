import * as z from "zod";
import type { ProfileView } from "../../contract/agent/profile-view.ts";
import { answer } from "../base/answer.ts";
import { tool } from "../base/tool.ts";
import { oneLine } from "../base/words.ts";

const ShownAgent = z.object({
  agentName: z.string(),
  title: z.string(),
  installed: z.boolean(),
  version: z.string().optional(),
  login: z.string().optional(),
  install: z.string().optional(),
  resume: z.enum(["native", "injected", "fresh"]),
});

const ShownProfile = z.object({
  profile: z.string(),
  agentName: z.string(),
  model: z.string().optional(),
  mode: z.string().optional(),
  sets: z.array(z.string()),
});

const shownProfile = ({
  id,
  agent,
  model,
  mode,
  sets,
}: ProfileView): z.infer<typeof ShownProfile> => ({
  profile: id,
  agentName: agent,
  ...(model !== null && { model }),
  ...(mode !== null && { mode }),
  sets,
});

export const listAgents = tool({
  name: "list_agents",
  title: "List agents",
  description:
    "Lists the agents that invoke_agent can invoke, whether each is installed, and how well it remembers after its process was gone; and the profiles that invoke_agent takes.",
  input: z.strictObject({}),
  output: z.object({
    agents: z.array(ShownAgent),
    profiles: z.array(ShownProfile),
  }),
  readOnly: true,
  async run(_, { door: { client } }) {
    const page = await client.listAgents();
    const agents = page.agents.map((agent): z.infer<typeof ShownAgent> => ({
      agentName: agent.id,
      title: agent.name,
      installed: agent.installed,
      ...(agent.version !== null && { version: agent.version }),
      ...(agent.login !== undefined && { login: agent.login }),
      ...(agent.install !== null && { install: agent.install }),
      resume: agent.native_session_resume
        ? "native"
        : agent.history_context_injection
          ? "injected"
          : "fresh",
    }));
    const text = agents.map(
      ({ agentName, title, installed, install, resume }) =>
        `${agentName} (${oneLine(title)}): ${installed ? "installed" : `not installed${install === undefined ? "" : `; ${install} installs it`}`}, resumes ${resume}`,
    );
    const profiles = (page.profiles ?? []).map(shownProfile);
    const named = profiles.map(
      ({ profile, agentName }) => `profile ${profile}: ${agentName}`,
    );
    return answer([...text, ...named].join("\n"), { agents, profiles });
  },
});
