/**
 * Starts the runs of a race, or finds those that were started. Every request has a key made of the race's name and the run's
 * number, so that the server answers it as it did the first time.
 */
import type { Client } from "../../client/client.ts";
import type { SessionId, PromptId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { callerEnv } from "../../local/caller-env.ts";
import type { World } from "../terminal/world.ts";
import type { RaceOrder } from "./plan.ts";

export interface Run {
  number: number;
  agent: string;
  /** Null where it could not be started. */
  started: { session: SessionId; prompt: PromptId; cwd: string } | null;
  failure: RepriseError | null;
}

export const startRuns = async (
  world: World,
  client: Client,
  order: RaceOrder,
): Promise<Run[]> => {
  const env = await callerEnv(world);
  const runs = await Promise.all(
    order.agents.map((agent, at) =>
      startRun(client, order, { agent, number: at + 1, env }),
    ),
  );
  const reused = runs.find(
    ({ failure }) => failure?.code === "idempotency_conflict",
  );
  if (reused !== undefined)
    throw new RepriseError(
      "idempotency_conflict",
      `The race ${order.name} was begun with another prompt, other agents or in another place. Repeat that command, or choose another --name.`,
    );
  const [first] = runs;
  if (first?.failure && runs.every(({ failure }) => failure !== null))
    throw first.failure;
  return runs;
};

interface Start {
  agent: string;
  number: number;
  env: Awaited<ReturnType<typeof callerEnv>>;
}

const startRun = async (
  client: Client,
  order: RaceOrder,
  start: Start,
): Promise<Run> => {
  const { agent, number } = start;
  try {
    const { id, cwd } = await sessionOf(client, order, start);
    const { id: prompt } = await client.queuePrompt(
      id,
      { text: order.prompt, ...start.env },
      { key: `race.${order.name}` },
    );
    return {
      number,
      agent,
      started: { session: id, prompt, cwd },
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    return { number, agent, started: null, failure: error };
  }
};

const sessionOf = async (
  client: Client,
  { name, from }: RaceOrder,
  { agent, number, env }: Start,
): Promise<{ id: SessionId; cwd: string }> => {
  const title = `${name} ${number}`;
  const key = `race.${name}.${number}`;
  if (from.kind === "worktree") {
    const { repository: worktree, permissions } = from;
    return client.createSession(
      {
        agent,
        worktree,
        name: title,
        ...(permissions !== undefined && { permissions }),
        ...env,
      },
      { key },
    );
  }
  const fork = await client.forkSession(
    from.session.id,
    { name: title },
    { key },
  );
  if (agent === from.session.agent) return fork;
  // A fork starts its agent at once, and only a session at rest changes hands.
  await client.pauseSession(fork.id, { key: `${key}.pause` });
  await client.handOffSession(fork.id, agent, { key: `${key}.handoff` });
  return fork;
};
