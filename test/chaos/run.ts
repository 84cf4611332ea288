/**
 * One run of chaos.
 *
 *   users, witnesses, strikes, a watch ──(minutes)──► all stop ──► every session is brought to rest, resumed, asked
 *   ──► everything dies once more ──► journals, ledgers, workspaces and agents' output are held against the promises
 */
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event.ts";
import { isTerminal } from "../../src/contract/state.ts";
import { checkSession } from "./check/check-session.ts";
import { checkLogs } from "./check/logs.ts";
import { everyProcess } from "./processes.ts";
import { ChaosHouse } from "./house.ts";
import { insist } from "./insist.ts";
import type { Play } from "./play.ts";
import { Chance } from "./random.ts";
import { checkRecalled, recall, type Recalled } from "./recall.ts";
import { ServerKeeper } from "./server.ts";
import { bringToRest } from "./settle.ts";
import type { Stage } from "./stage.ts";
import { evenly, strikeOnAndOn, thawAll, type Plan } from "./strike.ts";
import { blankTally, type Tally } from "./tally.ts";
import type { Patch } from "./tree.ts";
import { useSessions } from "./user.ts";
import { type Violation, Violations } from "./violation.ts";
import { watch } from "./watch.ts";
import type { Speech } from "./words.ts";
import { lastSeq } from "./witness/witness.ts";

export interface ChaosOptions {
  /** The sources to run. */
  root: string;
  seed: number;
  /** How long the storm lasts. */
  ms: number;
  /** How many sessions there are at a time. */
  sessions: number;
  plan?: Plan;
  speech?: Speech;
  patches?: readonly Patch[];
  /** How long sessions may take to come to rest afterwards. */
  restMs?: number;
  say?: (words: string) => void;
  /** Leaves everything where it was, to be looked at. */
  keep?: boolean;
}

export interface ChaosResult {
  violations: readonly Violation[];
  tally: Tally;
  serverStarts: number;
  turns: number;
  events: number;
  executions: number;
  connections: number;
  directory: string;
}

export const runChaos = async (options: ChaosOptions): Promise<ChaosResult> => {
  const {
    root,
    seed,
    ms,
    sessions,
    plan = evenly,
    patches = [],
    restMs = 60_000,
    say = () => undefined,
  } = options;
  const house = await ChaosHouse.make(root, patches);
  const violations = new Violations();
  const server = new ServerKeeper(house, violations);
  const over = new AbortController();
  const curtain = new AbortController();
  try {
    await server.start();
    const where = { url: house.url, token: await server.token() };
    const stage: Stage = {
      seed,
      speech: options.speech ?? {},
      house,
      server,
      client: connect(where),
      where,
      plays: [],
      violations,
      tally: blankTally(),
      struck: new Set(),
      over: over.signal,
      curtain: curtain.signal,
    };
    const watching = watch(stage);
    const striking = strikeOnAndOn(stage, plan);
    const acting = Promise.all(
      Array.from({ length: sessions }, (_, i) =>
        useSessions(stage, `user ${i}`),
      ),
    );
    await Promise.race([
      striking,
      acting,
      pause(ms, undefined, { ref: false }),
    ]);
    over.abort();
    await Promise.all([striking, acting]);
    thawAll(stage);
    say(
      `the storm is over; ${stage.plays.length} sessions are brought to rest`,
    );
    await server.up;

    const recalled = await settleAll(stage, AbortSignal.timeout(restMs));
    noneLeft(stage);
    say("everything dies once more");
    server.signal("SIGKILL");
    const journals = await readJournals(stage, AbortSignal.timeout(READ_MS));
    await caughtUp(stage, journals, AbortSignal.timeout(restMs));
    curtain.abort();
    await watching;
    await Promise.all(
      stage.plays.flatMap(({ witnesses }) => witnesses.map(({ done }) => done)),
    );
    await server.close();

    for (const [play, journal] of journals) {
      await checkSession({ house, play, journal, violations });
      const asked = recalled.get(play);
      if (asked) checkRecalled(stage, play, journal, asked);
    }
    await checkLogs(house, violations);
    return resultOf(stage, journals);
  } finally {
    over.abort();
    curtain.abort();
    await server.close();
    await house.clear();
    if (options.keep !== true) await house.remove();
  }
};

const READ_MS = 60_000;

const settleAll = async (
  stage: Stage,
  signal: AbortSignal,
): Promise<Map<Play, Recalled>> => {
  const recalled = new Map<Play, Recalled>();
  await Promise.all(
    stage.plays.map(async (play) => {
      const session = await bringToRest(stage, play, signal);
      if (session === null || isTerminal(session.state)) return;
      const asked = await recall(stage, play, signal);
      if (asked !== null) recalled.set(play, asked);
      const paused = await insist(
        new Chance(stage.seed, `pause ${play.name}`),
        signal,
        (patience) =>
          stage.client.call("pauseSession", {
            params: { id: play.id },
            body: {},
            signal: patience,
          }),
      );
      if (paused.kind !== "done")
        stage.violations.add(
          "P10",
          play.name,
          `it cannot be paused: ${JSON.stringify(paused)}`,
        );
    }),
  );
  return recalled;
};

/** Every session has ended or is paused: nothing of them runs. */
const noneLeft = ({ house, violations }: Stage): void => {
  for (const { kind, pid, session, execution } of everyProcess(house.home))
    if (execution !== null)
      violations.add(
        "P4",
        session,
        `the ${kind} ${pid} of ${execution} still runs, though its session is at rest`,
      );
};

const readJournals = async (
  stage: Stage,
  signal: AbortSignal,
): Promise<Map<Play, Event[]>> => {
  const journals = new Map<Play, Event[]>();
  for (const play of stage.plays) {
    const journal: Event[] = [];
    const chance = new Chance(stage.seed, `read ${play.name}`);
    for (let more = true; more;) {
      const page = await insist(chance, signal, () =>
        stage.client.listEvents(play.id, {
          after: journal.length,
          limit: 10_000,
        }),
      );
      if (page.kind !== "done") {
        stage.violations.add(
          "P1",
          play.name,
          `its journal cannot be read: ${JSON.stringify(page)}`,
        );
        break;
      }
      journal.push(...page.value.events);
      more = page.value.next !== null;
      if (!more) journals.set(play, journal);
    }
  }
  return journals;
};

/** Witnesses that are behind get a moment to hear the rest; who has not got it by then never will. */
const caughtUp = async (
  { plays }: Stage,
  journals: ReadonlyMap<Play, readonly Event[]>,
  signal: AbortSignal,
): Promise<void> => {
  const isBehind = () =>
    plays.some((play) =>
      play.witnesses.some(
        (witness) => lastSeq(witness) < (journals.get(play)?.length ?? 0),
      ),
    );
  while (isBehind() && !signal.aborted)
    await pause(20, undefined, { signal }).catch(() => null);
};

const resultOf = (
  stage: Stage,
  journals: ReadonlyMap<Play, readonly Event[]>,
): ChaosResult => {
  const events = [...journals.values()].flat();
  const count = (type: Event["type"]) =>
    events.filter((event) => event.type === type).length;
  return {
    violations: stage.violations.all,
    tally: stage.tally,
    serverStarts: stage.server.starts,
    turns: count("session.turn.started"),
    executions: count("session.execution.started"),
    events: events.length,
    connections: stage.plays
      .flatMap(({ witnesses }) => witnesses)
      .reduce((sum, { connections }) => sum + connections, 0),
    directory: stage.house.directory,
  };
};
