/** Kills and freezes: whom, when and for how long is chance; that somebody is at work just then is preferred. */
import { setTimeout as pause } from "node:timers/promises";
import { kill } from "../../src/kit/marked-processes.ts";
import { unreachable } from "../../src/kit/unreachable.ts";
import { everyProcess, type Seen } from "./processes.ts";
import { intrude, takeOver } from "./rival.ts";
import { Chance } from "./random.ts";
import type { Stage } from "./stage.ts";
import { type Target, targets } from "./tally.ts";

export interface Plan {
  /** How often each is struck, compared with the others. */
  weights: Readonly<Record<Target, number>>;
  /** How many of the strikes only freeze. */
  freezes: number;
  /** How many of the strikes set a second server on the home instead, without and with leave to take over. */
  intruders: number;
  takeOvers: number;
  /** How many of the strikes do not wait until somebody is at work. */
  blind: number;
  /** After so many it is over. */
  most: number;
  /** The time between two strikes. */
  everyMs: readonly [least: number, most: number];
}

export const evenly: Plan = {
  weights: { server: 6, agentctl: 7, agent: 5, wrapper: 1, everything: 6 },
  freezes: 0.25,
  intruders: 0.01,
  takeOvers: 0.02,
  blind: 0.2,
  most: Infinity,
  everyMs: [50, 1000],
};

export const strikeOnAndOn = async (
  stage: Stage,
  plan: Plan,
): Promise<void> => {
  const chance = new Chance(stage.seed, "strikes");
  const thaws: Promise<void>[] = [];
  for (let struck = 0; !stage.over.aborted && struck < plan.most;) {
    const ms = chance.between(...plan.everyMs);
    await pause(ms, undefined, { signal: stage.over }).catch(() => null);
    if (!chance.isLucky(plan.blind)) await somebodyWorks(stage);
    if (stage.over.aborted) break;
    struck += 1;
    if (chance.isLucky(plan.intruders)) await intrude(stage, chance);
    else if (chance.isLucky(plan.takeOvers)) await takeOver(stage, chance);
    else strike(stage, chance, plan, thaws);
  }
  await Promise.all(thaws);
};

const strike = (
  stage: Stage,
  chance: Chance,
  plan: Plan,
  thaws: Promise<void>[],
): void => {
  const target = chance.weighted(plan.weights);
  if (chance.isLucky(plan.freezes)) thaws.push(freeze(stage, chance, target));
  else killNow(stage, chance, target);
};

/** Waits for a turn, but not for ever: what keeps it from coming may be what the last strike left. */
const somebodyWorks = async (stage: Stage): Promise<void> => {
  const patience = AbortSignal.any([stage.over, AbortSignal.timeout(WORK_MS)]);
  while (atWork(stage).size === 0 && !patience.aborted)
    await pause(30, undefined, { signal: patience }).catch(() => null);
};

const WORK_MS = 10_000;

/** The sessions whose agents live and are in a turn, as far as their clients know. */
const atWork = (
  { plays, house }: Stage,
  seen = everyProcess(house.home),
): Set<string> => {
  const lives = new Set(
    seen.filter(({ kind }) => kind === "agent").map(({ session }) => session),
  );
  return new Set(
    plays
      .filter(({ mark, shown }) => shown.state === "RUNNING" && lives.has(mark))
      .map(({ mark }) => mark),
  );
};

const killNow = (stage: Stage, chance: Chance, target: Target): void => {
  const hit = chosen(stage, chance, target);
  if (signal(stage, hit, "SIGKILL")) countKill(stage, target, hit);
};

/** Some that were frozen are killed instead of woken. */
const freeze = async (
  stage: Stage,
  chance: Chance,
  target: Target,
): Promise<void> => {
  const hit = chosen(stage, chance, target);
  if (!signal(stage, hit, "SIGSTOP")) return;
  stage.tally.strikes[target].frozen += 1;
  const ms = chance.isLucky(0.2)
    ? chance.between(1000, 4000)
    : chance.between(10, 800);
  await pause(ms, undefined, { signal: stage.over }).catch(() => null);
  if (!chance.isLucky(0.3)) signal(stage, hit, "SIGCONT");
  else if (signal(stage, hit, "SIGKILL")) countKill(stage, target, hit);
};

const countKill = ({ tally }: Stage, target: Target, hit: Hit): void => {
  tally.strikes[target].killed += 1;
  if (hit.inTurn) tally.strikes[target].inTurn += 1;
};

/** Whether there was anybody left to get it. */
const signal = (
  { struck, server }: Stage,
  hit: Hit,
  name: "SIGKILL" | "SIGSTOP" | "SIGCONT",
): boolean => {
  let got = hit.server && server.signal(name);
  for (const pid of hit.pids) {
    struck.add(pid);
    got = kill(pid, name) || got;
  }
  return got;
};

interface Hit {
  server: boolean;
  pids: number[];
  inTurn: boolean;
}

const chosen = (stage: Stage, chance: Chance, target: Target): Hit => {
  const seen = everyProcess(stage.house.home);
  const inTurn = atWork(stage, seen);
  const of = (kind: Seen["kind"]) => seen.filter((each) => each.kind === kind);
  switch (target) {
    case "server":
      return { server: true, pids: [], inTurn: inTurn.size > 0 };
    case "agentctl":
      return {
        server: false,
        pids: of("agentctl").map(({ pid }) => pid),
        inTurn: inTurn.size > 0,
      };
    case "everything":
      return {
        server: true,
        pids: seen.map(({ pid }) => pid),
        inTurn: inTurn.size > 0,
      };
    case "agent":
    case "wrapper": {
      const all = of(target);
      const busy = all.filter(
        ({ session }) => session !== null && inTurn.has(session),
      );
      const one = chance.pick(busy.length > 0 ? busy : all);
      return {
        server: false,
        pids: one === undefined ? [] : [one.pid],
        inTurn: one?.session != null && inTurn.has(one.session),
      };
    }
    default:
      return unreachable(target);
  }
};

/** Whoever was frozen when time was up goes on. */
export const thawAll = ({ house, server }: Stage): void => {
  server.signal("SIGCONT");
  for (const { pid } of everyProcess(house.home)) kill(pid, "SIGCONT");
};

export const noStrikes = (): Record<Target, number> =>
  Object.fromEntries(targets.map((target) => [target, 0])) as Record<
    Target,
    number
  >;
