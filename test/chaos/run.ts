/**
 * One run of chaos.
 *
 *   users, witnesses, strikes, a watch ──(minutes)──► all stop ──► every session is brought to rest, resumed, asked
 *   ──► everything dies once more ──► journals, ledgers, workspaces and agents' output are held against the promises
 */
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import {
  caughtUp,
  endStrays,
  noneLeft,
  readJournals,
  settleAll,
} from "./aftermath/aftermath.ts";
import { checkSession } from "./check/check-session.ts";
import { checkLogs } from "./check/logs.ts";
import { Restored } from "./check/restored.ts";
import { collect, collectOnAndOn, litterOnAndOn } from "./strike/collect.ts";
import { FileSystems, unmountAll } from "./file-systems/file-systems.ts";
import { checkPrecious } from "./file-systems/mount.ts";
import { ChaosHouse } from "./house.ts";
import type { Play } from "./play.ts";
import { Chance } from "./random.ts";
import { checkRecalled } from "./aftermath/recall.ts";
import { ServerKeeper } from "./server.ts";
import type { Stage } from "./stage.ts";
import { evenly, strikeOnAndOn, thawAll, type Plan } from "./strike/strike.ts";
import { blankTally, type Tally } from "./tally.ts";
import type { Patch } from "./sabotage/copy-tree.ts";
import { useSessions } from "./user/user.ts";
import { type Violation, Violations } from "./violation.ts";
import { watch } from "./machine/watch.ts";
import type { Speech } from "./user/speech.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

export interface ChaosOptions {
  /** The sources to run. */
  root: string;
  seed: number;
  /** How long the storm lasts. */
  ms: number;
  /** On a slow machine less happens meanwhile: then it lasts until this is so, but not for ever. */
  isEnough?: (stage: Stage) => boolean;
  /** How many sessions there are at a time. */
  sessions: number;
  plan?: Plan;
  speech?: Speech;
  patches?: readonly Patch[];
  /** How long sessions may take to come to rest afterwards. */
  restMs?: number;
  say?: (words: string) => void;
  /** Leaves everything where it was, to be looked at: always, or when a promise was broken. */
  keep?: "always" | "when_broken";
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
  /** How many workspaces there were on each kind of file system, and what had to be left out. */
  fileSystems: ReadonlyMap<string, number>;
  leftOut: string | null;
}

const READ_MS = patience(60_000);

export const runChaos = async (options: ChaosOptions): Promise<ChaosResult> => {
  const {
    root,
    seed,
    sessions,
    plan = evenly,
    patches = [],
    restMs = patience(60_000),
    say = () => undefined,
  } = options;
  const house = await ChaosHouse.make(root, patches);
  const violations = new Violations();
  const server = new ServerKeeper(house, violations);
  const over = new AbortController();
  const curtain = new AbortController();
  try {
    const fileSystems = await FileSystems.make(house.directory);
    if (fileSystems.leftOut !== null) say(`LEFT OUT: ${fileSystems.leftOut}`);
    await server.start();
    const where = { url: house.url, token: await server.token() };
    const stage: Stage = {
      seed,
      speech: options.speech ?? {},
      house,
      fileSystems,
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
    const collecting = Promise.all([
      collectOnAndOn(stage),
      litterOnAndOn(stage),
    ]);
    await Promise.race([striking, acting, storm(stage, options)]);
    over.abort();
    await Promise.all([striking, acting, collecting]);
    thawAll(stage);
    say(
      `the storm is over; ${stage.plays.length} sessions are brought to rest`,
    );
    await server.up;

    const settling = AbortSignal.timeout(restMs);
    const recalled = await settleAll(stage, settling);
    await endStrays(stage, settling);
    await collect(stage, new Chance(seed, "last gc"), settling);
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
    await house.clear();

    await using vault = await Restored.open(house);
    for (const [play, journal] of journals) {
      await checkSession({ house, play, journal, journals, violations, vault });
      const asked = recalled.get(play);
      if (asked) checkRecalled(stage, play, journals, asked);
    }
    await checkLogs(house, violations);
    await checkPrecious(stage);
    return resultOf(stage, journals);
  } finally {
    over.abort();
    curtain.abort();
    await server.close();
    await house.clear();
    await unmountAll(house.directory);
    if (!isKept(options.keep, violations)) await house.remove();
  }
};

const storm = async (
  stage: Stage,
  { ms, isEnough = () => true }: ChaosOptions,
): Promise<void> => {
  const longest = performance.now() + patience(2 * ms);
  await pause(ms, undefined, { ref: false });
  while (!isEnough(stage) && performance.now() < longest)
    await pause(100, undefined, { ref: false });
};

const isKept = (keep: ChaosOptions["keep"], violations: Violations): boolean =>
  keep === "always" || (keep === "when_broken" && violations.all.length > 0);

const resultOf = (
  stage: Stage,
  journals: ReadonlyMap<Play, readonly Event[]>,
): ChaosResult => {
  const events = [...journals.values()].flat();
  const count = (type: Event["type"]) =>
    events.filter((event) => event.type === type).length;
  stage.tally.rewinds = count("session.rewound");
  stage.tally.checkpoints = {
    saved: count("session.checkpoint.saved"),
    partial: count("session.checkpoint.partial"),
    failed: count("session.checkpoint.failed"),
  };
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
    fileSystems: stage.fileSystems.used,
    leftOut: stage.fileSystems.leftOut,
  };
};
