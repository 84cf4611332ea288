/** Logging in to the agent: its own program does it, in the terminal of the person. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Client } from "../client/client.ts";
import type { AgentView } from "../contract/agent/agent.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { loginMissing } from "./translate/failure.ts";

const find = async (client: Client, id: string): Promise<AgentView> => {
  const { agents } = await client.call("listAgents", {});
  const agent = agents.find((each) => each.id === id);
  if (agent === undefined)
    throw new RepriseError(
      "unknown_agent",
      `There is no agent "${id}". \`reprise agents\` lists them.`,
    );
  return agent;
};

/** For clients that cannot run a terminal: whether somebody has logged in meanwhile. */
export const checkLogin = async (client: Client, id: string): Promise<void> => {
  const { login, login_command } = await find(client, id);
  if (login === "no")
    throw loginMissing(
      `Nobody has logged in to ${id} here. Run \`${login_command ?? id}\` in a terminal, then try again.`,
    );
};

/** Resolves with 0 when the agent's login ended well. */
export const logIn = async (client: Client, id: string): Promise<0 | 1> => {
  const { login_command } = await find(client, id);
  if (login_command == null) {
    process.stdout.write(`${id} needs no login.\n`);
    return 0;
  }
  const [program = "", ...args] = login_command.split(" ");
  const child = spawn(program, args, { stdio: "inherit" });
  await once(child, "close");
  return child.exitCode === 0 ? 0 : 1;
};
