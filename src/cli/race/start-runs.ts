/**
 * Starts the runs of a race, or finds those that were started. Every request has a key made of the race and the run's number, so
 * that the server answers it as it did the first time.
 */
import type { Client } from "../../client/client.ts";
import { isBuiltIn } from "../../contract/agent/agent.ts";
import { recordRun } from "../../client/race.ts";
import type { SessionId, PromptId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { callerEnv } from "../../local/caller-env.ts";
import type { World } from "../terminal/world.ts";
import type { RaceOrder } from "./plan.ts";
import { begin, fingerprintOf, isBegun } from "./record.ts";

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
  const starts = order.agents.map((agent, at) => ({
    agent,
    number: at + 1,
    env,
  }));
  if (!(await isBegun(client, order))) await claimName(client, order, starts);
  const runs = await Promise.all(
    starts.map((start) => startRun(client, order, start)),
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

/**
 * A race of which nothing can be started does not take its name, so its first session comes first. No prompt is sent before
 * the name is certain.
 */
const claimName = async (
  client: Client,
  order: RaceOrder,
  starts: readonly Start[],
): Promise<void> => {
  const { id } = await firstSession(client, order, starts);
  try {
    await begin(client, order);
  } catch (error) {
    // It belongs to no race: another command was faster.
    if (error instanceof RepriseError && error.code === "idempotency_conflict")
      await discard(client, id);
    throw error;
  }
};

/** Its agent is being started, and only a session at rest goes to the trash. */
const discard = async (client: Client, id: SessionId): Promise<void> => {
  try {
    await client.pauseSession(id);
    await client.deleteSession(id);
  } catch (error) {
    // What is to be told is that the name is taken.
    if (!(error instanceof RepriseError)) throw error;
  }
};

const firstSession = async (
  client: Client,
  order: RaceOrder,
  starts: readonly Start[],
): Promise<{ id: SessionId }> => {
  const failures: RepriseError[] = [];
  for (const start of starts)
    try {
      return await sessionOf(client, order, start);
    } catch (error) {
      if (!(error instanceof RepriseError)) throw error;
      failures.push(error);
    }
  throw failures[0] ?? new Error("a race has at least one run");
};

const startRun = async (
  client: Client,
  order: RaceOrder,
  start: Start,
): Promise<Run> => {
  const { agent, number } = start;
  try {
    const { id, cwd } = await sessionOf(client, order, start);
    await recordRun(client, { name: order.name, number, session: id });
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
  order: RaceOrder,
  { agent, number, env }: Start,
): Promise<{ id: SessionId; cwd: string }> => {
  const { name, from } = order;
  const title = `${name} ${number}`;
  const key = `race.${name}.${fingerprintOf(order)}.${number}`;
  if (from.kind === "worktree") {
    const { repository: worktree, permissions, executor } = from;
    return client.createSession(
      {
        ...whoOf(agent),
        worktree,
        name: title,
        ...(permissions !== undefined && { permissions }),
        ...(executor !== undefined && { executor }),
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
  const { agent: has, agent_profile_id } = from.session;
  if (agent === has || agent === agent_profile_id) return fork;
  // A fork starts its agent at once, and only a session at rest changes hands.
  await client.pauseSession(fork.id, { key: `${key}.pause` });
  await client.handOffSession(fork.id, whoOf(agent), { key: `${key}.handoff` });
  return fork;
};

/** What is no agent of ours is a profile, or an agent of config.json, which is a profile too. */
const whoOf = (name: string): { agent?: string; agent_profile_id?: string } =>
  isBuiltIn(name) ? { agent: name } : { agent_profile_id: name };
