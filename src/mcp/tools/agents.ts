import * as z from "zod";
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

export const listAgents = tool({
  name: "list_agents",
  title: "List agents",
  description:
    "Lists the agents that invoke_agent can invoke, whether each is installed, and how well it remembers after its process was gone.",
  input: z.strictObject({}),
  output: z.object({ agents: z.array(ShownAgent) }),
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
    return answer(text.join("\n"), { agents });
  },
});
