/** A session in the middle of a long turn, and ways to kill what runs it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { endMarked } from "../../src/kit/marked-processes.ts";
import { type Server, type TestHouse, seenUntil } from "./house.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

/** Whoever is killed is killed at the first of them. */
export const NUMBERS = 100;
export const all = Array.from({ length: NUMBERS }, (_, i) => String(i + 1));

export const counting = async (house: TestHouse, client: Client) => {
  const session = await client.createSession({
    cwd: house.workspace,
    env: { DEMO_LEDGER: join(house.directory, "ledger") },
    prompt: `remember pass=mellon\ncount ${NUMBERS} ${patience(10)}`,
  });
  const seen = await seenUntil(
    client,
    session.id,
    ({ type }) => type === "session.message.updated",
  );
  return { id: session.id, seen };
};

export const counted = async (
  client: Client,
  session: string,
): Promise<string[]> => {
  const { messages } = await client.listMessages(session);
  const text = messages
    .filter(({ role }) => role === "agent")
    .map((message) => message.text)
    .join("");
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => /^\d+$/.test(word));
};

export const ledger = async (house: TestHouse): Promise<number> =>
  (await readFile(join(house.directory, "ledger"), "utf8")).trim().split("\n")
    .length;

export const killAgents = async (
  client: Client,
  session: string,
): Promise<void> => {
  const { agent_execution_id } = await client.showSession(session);
  await endMarked(`REPRISE_EXECUTION=${agent_execution_id}`, patience(5000));
};

export const killEverything = async (
  house: TestHouse,
  server: Server,
): Promise<void> => {
  const { sessions } = await server.client.listSessions();
  const executions = sessions.flatMap(
    ({ agent_execution_id }) => agent_execution_id ?? [],
  );
  await server.kill();
  await endDaemon(house.home);
  for (const execution of executions)
    await endMarked(`REPRISE_EXECUTION=${execution}`, patience(5000));
};
