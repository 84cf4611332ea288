/** A session in the middle of a turn that waits for the test, and ways to kill what runs it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { CreateSessionInput } from "../../src/contract/api/request.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { endMarked } from "../../src/kit/processes/marked-processes.ts";
import { type Server, type TestHouse, seenUntil, spoken } from "./house.ts";
import { HELD_WORDS, heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

/** The numbers it says in the turn, if it says all of them. */
export const all: string[] = [...(HELD_WORDS.match(/^\d+$/gm) ?? [])];

/** The turn lasts until the latch is opened or the agent is killed; it has said a number when this resolves. */
export const counting = async (
  house: TestHouse,
  client: Client,
  more: CreateSessionInput = {},
) => {
  const latch = house.latch();
  const ledger = join(house.directory, `ledger-${crypto.randomUUID()}`);
  const { id } = await client.createSession({
    cwd: house.workspace,
    env: { DEMO_LEDGER: ledger },
    prompt: `remember pass=mellon\n${heldAt(latch)}`,
    ...more,
  });
  let said = "";
  const seen = await seenUntil(client, id, (event) => {
    said += spoken([event]);
    return /\d/.test(said);
  });
  /** How many prompts the agent took. */
  const taken = async (): Promise<number> =>
    (await readFile(ledger, "utf8")).trim().split("\n").length;
  return { id, seen, latch, taken };
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

export const killAgents = async (
  client: Client,
  session: string,
): Promise<void> => {
  const { agent_execution_id } = await client.showSession(session);
  await endMarked(`REPRISE_EXECUTION=${agent_execution_id}`, patience(5000));
};

/** The agent's own process and nothing else, as the kernel ends one that takes too much memory. */
export const killAgentOf = async (
  house: TestHouse,
  client: Client,
  session: string,
): Promise<void> => {
  const { agent_execution_id } = await client.showSession(session);
  const executions = join(house.home, "agentctl/executions");
  const pid = join(executions, agent_execution_id ?? "", "pid");
  process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
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
