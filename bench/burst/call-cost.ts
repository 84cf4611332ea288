/** What one tool call costs the server's thread, early and late in a turn: decided, folded, viewed, committed, published. */
import type { Engine } from "../../src/runtime/sessions/session-journal.ts";
import { BusySession } from "../busy-session.ts";

const EARLY = 100;
const ROUNDS = 10;
const PER_ROUND = 100;
const AT_ONCE = 20;

/** Processor time of this thread per call, in microseconds, each round one figure. Other threads' work is not in it. */
export const callCosts = async (
  engine: Engine,
  calls: number,
): Promise<{ early: number[]; late: number[] }> => {
  // The first session compiles the code; the second is measured.
  await costsOf(await BusySession.begin(engine, 1), 2 * EARLY);
  return costsOf(await BusySession.begin(engine, 2), calls);
};

const costsOf = async (session: BusySession, calls: number) => {
  await session.calls(EARLY)();
  const early = await measure(session);
  for (let made = EARLY + ROUNDS * PER_ROUND; made < calls; made += AT_ONCE)
    await session.calls(AT_ONCE)();
  return { early, late: await measure(session) };
};

const measure = async (session: BusySession): Promise<number[]> => {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const reports = Array.from({ length: PER_ROUND / AT_ONCE }, () =>
      session.calls(AT_ONCE),
    );
    const before = process.threadCpuUsage();
    for (const report of reports) await report();
    const { user, system } = process.threadCpuUsage(before);
    costs.push((user + system) / PER_ROUND);
  }
  return costs;
};
