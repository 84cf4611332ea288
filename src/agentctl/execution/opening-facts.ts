import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../agents/agent/agent.ts";
import type { TranscriptWhere } from "../../agents/state/session-state.ts";
import type { ExecutionId } from "../../contract/base/id.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import type { Open } from "../drivers/driver.ts";
import type { Execution } from "./execution.ts";
import { otherWriters } from "./other-writers.ts";
import { checkTranscript } from "./journal/transcript.ts";

/** What has to be known before an agent is asked for its own session: is it the recorded one, does it belong here, does anybody else have it open? */
export const openingFacts = async (
  execution: Execution,
  agent: Agent,
  { open, cwd, predecessors }: StartOrder,
  env: Record<string, string>,
): Promise<Open> => {
  if (open.kind === "new")
    return open.failed === undefined
      ? { kind: "new" }
      : { kind: "new", failed: open.failed };
  const { token, turns, cut = 0 } = open;
  const where: TranscriptWhere = { home: env["HOME"] ?? "", cwd, env };
  const path = (await agent.transcript?.(where, token)) ?? null;
  const transcript =
    agent.transcript === undefined
      ? "unrecorded"
      : await checkTranscript(path, open.transcript);
  const own = [execution.id, ...predecessors];
  const barred = await whyBarred(agent, where, token, own);
  if (barred === null) await untilItMay(execution, agent, where, token);
  const native = { kind: "native", token, turns, cut, transcript } as const;
  return barred === null ? native : { ...native, barred };
};

const whyBarred = async (
  agent: Agent,
  where: TranscriptWhere,
  token: string,
  own: readonly ExecutionId[],
): Promise<string | null> => {
  const bound = (await agent.quirks?.boundTo?.(where, token)) ?? null;
  if (bound !== null && bound !== where.cwd)
    return `its session belongs to ${bound} and cannot be opened in another directory`;
  const users = (await agent.users?.(where, token)) ?? [];
  const [pid] = await otherWriters(users, own);
  return pid === undefined
    ? null
    : `another program has its session open (process ${pid}): close that first to go on in it`;
};

/** Some sessions must not be opened right after they were made. */
const untilItMay = async (
  execution: Execution,
  agent: Agent,
  where: TranscriptWhere,
  token: string,
): Promise<void> => {
  const notBefore = (await agent.quirks?.notBefore?.(where, token)) ?? null;
  if (notBefore === null) return;
  const began = performance.now();
  const left = (): number =>
    stillToWait(notBefore, Date.now(), performance.now() - began);
  if (left() === 0) return;
  const seconds = Math.ceil(left() / 1000);
  execution.notice(
    "agent_waits",
    `${agent.name} would lose a session that is opened in the minute of its making: it starts in ${seconds} s.`,
  );
  while (left() > 0 && !execution.history.stopping)
    await pause(Math.min(left(), LOOK_MS));
};

/**
 * Until a time by the clock on the wall, but two minutes at most by one that nobody can set: a later time comes from
 * another clock, from one that was set back, or from somebody's hand.
 */
export const stillToWait = (
  notBefore: number,
  now: number,
  waited: number,
): number => Math.max(0, Math.min(notBefore - now, MAX_WAIT_MS - waited));

const MAX_WAIT_MS = 120_000;

/** How soon a stop is noticed. */
const LOOK_MS = 200;
