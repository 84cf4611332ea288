/** Short runs with the strikes that a sabotage is sure to stumble over. */
import { runChaos, type ChaosOptions, type ChaosResult } from "../run.ts";
import { noStrikes, type Plan } from "../strike/strike.ts";
import { harmless, sabotages } from "./sabotage.ts";
import type { Patch } from "./copy-tree.ts";
import { patience } from "../../../src/kit/fixtures/patience.ts";

type Schedule = Pick<ChaosOptions, "ms" | "sessions" | "plan" | "speech">;

const quick = (
  weights: Partial<Plan["weights"]>,
  more: Partial<Plan> = {},
): Plan => ({
  weights: { ...noStrikes(), ...weights },
  freezes: 0,
  intruders: 0,
  takeOvers: 0,
  blind: 0,
  max: 4,
  everyMs: [100, 400],
  ...more,
});

/** However slow the machine is: so many strikes, or all that fit into this. */
const ms = 60_000;

export const schedules = {
  /** A second server on the home of a frozen one. */
  intruders: {
    ms,
    sessions: 2,
    plan: quick({ agent: 1 }, { intruders: 1, max: 2 }),
  },
  servers: {
    ms,
    sessions: 3,
    plan: quick({ server: 3, agentctl: 1 }),
    speech: { count: 30 },
  },
  /** No turn comes about, so nobody waits for one; a server has been up for a while when it dies. */
  acknowledging: {
    ms,
    sessions: 3,
    plan: quick({ server: 1 }, { blind: 1, max: 3, everyMs: [3000, 5000] }),
    speech: { count: 30 },
  },
  /** Servers that come back find agents that have spoken meanwhile. */
  telling: {
    ms,
    sessions: 3,
    plan: quick({ server: 1 }),
    speech: { count: 30 },
  },
  agents: {
    ms,
    sessions: 3,
    plan: quick({ agent: 1 }),
    speech: { run: 20, "run-behind": 10 },
  },
  /** Much is written while garbage is collected. */
  collectors: {
    ms: 20_000,
    sessions: 6,
    plan: quick({ agent: 1 }, { everyMs: [3000, 4000] }),
    speech: { write: 20, overwrite: 20 },
  },
} as const satisfies Record<string, Schedule>;

/** A broken build may never come to rest, and need not: what is found by then is enough. */
export const runBroken = (
  root: string,
  name: keyof typeof sabotages,
  schedule: keyof typeof schedules,
  seed: number,
): Promise<ChaosResult> => run(root, sabotages[name], schedule, seed, 5000);

export const runHarmless = (
  root: string,
  name: keyof typeof harmless,
  schedule: keyof typeof schedules,
): Promise<ChaosResult> =>
  run(root, harmless[name], schedule, 1, patience(60_000));

const run = (
  root: string,
  patches: readonly Patch[],
  schedule: keyof typeof schedules,
  seed: number,
  restMs: number,
): Promise<ChaosResult> =>
  runChaos({ root, seed, patches, restMs, ...schedules[schedule] });
