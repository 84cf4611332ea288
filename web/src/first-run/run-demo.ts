/** The walk of the first run: an agent is told something, dies, and is asked for it. */
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";

export const DEMO_PROMPTS = [
  "remember colour=teal",
  "crash",
  "recall colour",
] as const;

/** A real session of the demo agent, in a directory of its own, with all three prompts. `key` makes it the same one if it is asked for twice. */
export const runDemo = async (
  client: Pick<Client, "createSession" | "queuePrompt">,
  key: string,
): Promise<Session> => {
  const [first, ...others] = DEMO_PROMPTS;
  const session = await client.createSession(
    { agent: "demo", name: "Watch an agent come back", prompt: first },
    { key },
  );
  for (const [i, text] of others.entries())
    await client.queuePrompt(session.id, { text }, { key: `${key}.${i}` });
  return session;
};
