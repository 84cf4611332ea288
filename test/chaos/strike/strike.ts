/** Kills and freezes: whom, when and for how long is chance; that somebody is at work just then is preferred. */
import { setTimeout as pause } from "node:timers/promises";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { intrude, takeOver } from "./rival.ts";
import { agentctlIn, heldIn, type Held } from "../machine/held.ts";
import { daemonsIn, markedIn } from "../machine/marked.ts";
import { keyOf, signal, type Process } from "../machine/processes.ts";
import { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";
import { type Target, targets } from "../tally.ts";

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
  max: number;
  /** The time between two strikes. */
  everyMs: readonly [min: number, max: number];
}

export const evenly: Plan = {
  weights: { server: 6, agentctl: 7, agent: 5, wrapper: 1, everything: 6 },
  freezes: 0.25,
  intruders: 0.01,
  takeOvers: 0.02,
  blind: 0.2,
  max: Infinity,
  everyMs: [50, 1000],
};

export const strikeOnAndOn = async (
  stage: Stage,
  plan: Plan,
): Promise<void> => {
  const chance = new Chance(stage.seed, "strikes");
  const thaws: Promise<void>[] = [];
  for (let struck = 0; !stage.over.aborted && struck < plan.max;) {
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
  held = heldIn(house.home),
): Set<string> => {
  const lives = new Set(
    held.filter(({ agent }) => agent !== null).map(({ session }) => session),
  );
  return new Set(
    plays
      .filter(({ id, shown }) => shown.state === "RUNNING" && lives.has(id))
      .map(({ id }) => id),
  );
};

const killNow = (stage: Stage, chance: Chance, target: Target): void => {
  const hit = chosen(stage, chance, target);
  if (send(stage, hit, "SIGKILL")) countKill(stage, target, hit);
};

/** Some that were frozen are killed instead of woken. */
const freeze = async (
  stage: Stage,
  chance: Chance,
  target: Target,
): Promise<void> => {
  const hit = chosen(stage, chance, target);
  if (!send(stage, hit, "SIGSTOP")) return;
  stage.tally.strikes[target].frozen += 1;
  const ms = chance.isLucky(0.2)
    ? chance.between(1000, 4000)
    : chance.between(10, 800);
  await pause(ms, undefined, { signal: stage.over }).catch(() => null);
  if (!chance.isLucky(0.3)) send(stage, hit, "SIGCONT");
  else if (send(stage, hit, "SIGKILL")) countKill(stage, target, hit);
};

const countKill = ({ tally }: Stage, target: Target, hit: Hit): void => {
  tally.strikes[target].killed += 1;
  if (hit.inTurn) tally.strikes[target].inTurn += 1;
};

/** Whether there was anybody left to get it. */
const send = (
  { struck, server }: Stage,
  hit: Hit,
  name: "SIGKILL" | "SIGSTOP" | "SIGCONT",
): boolean => {
  let got = hit.server && server.signal(name);
  for (const process of hit.processes) {
    struck.add(keyOf(process));
    got = signal(process, name) || got;
  }
  return got;
};

/** Who gets a signal; who was frozen is the one who is killed or woken later. */
interface Hit {
  server: boolean;
  processes: Process[];
  inTurn: boolean;
}

const chosen = (stage: Stage, chance: Chance, target: Target): Hit => {
  const { home } = stage.house;
  const held = heldIn(home);
  const busy = atWork(stage, held);
  const inTurn = busy.size > 0;
  switch (target) {
    case "server":
      return { server: true, processes: [], inTurn };
    case "agentctl": {
      const agentctl = agentctlIn(home);
      const processes = agentctl === null ? [] : [agentctl];
      return { server: false, processes, inTurn };
    }
    case "everything":
      return {
        server: true,
        processes: [...daemonsIn(home), ...markedIn(home)],
        inTurn,
      };
    case "agent":
    case "wrapper": {
      const one = chance.pick(preferring(busy, held, target));
      return {
        server: false,
        processes: one?.[target] == null ? [] : [one[target]],
        inTurn: one !== undefined && busy.has(one.session),
      };
    }
    default:
      return unreachable(target);
  }
};

/** Those of busy sessions, when there are any. */
const preferring = (
  busy: ReadonlySet<string>,
  held: readonly Held[],
  target: "agent" | "wrapper",
): Held[] => {
  const all = held.filter((each) => each[target] !== null);
  const best = all.filter(({ session }) => busy.has(session));
  return best.length > 0 ? best : all;
};

/** Whoever was frozen when time was up goes on. */
export const thawAll = ({ house, server }: Stage): void => {
  server.signal("SIGCONT");
  for (const process of [...daemonsIn(house.home), ...markedIn(house.home)])
    signal(process, "SIGCONT");
};

export const noStrikes = (): Record<Target, number> =>
  Object.fromEntries(targets.map((target) => [target, 0])) as Record<
    Target,
    number
  >;
