/** When the storm is over: what is done with all sessions before they are judged. */
import { setTimeout as pause } from "node:timers/promises";
import type { Event } from "../../../src/contract/event/event.ts";
import { isTerminal } from "../../../src/contract/session/state.ts";
import { insist } from "../user/insist.ts";
import { lose } from "../strike/lose.ts";
import type { Play } from "../play.ts";
import { markedIn } from "../machine/marked.ts";
import { Chance } from "../random.ts";
import { recall, type Recalled } from "./recall.ts";
import { bringToPause } from "../rest.ts";
import { bringToRest } from "./settle.ts";
import type { Stage } from "../stage.ts";
import { lastSeq } from "../witness/witness.ts";

/** Each is brought to rest, brought back (some after a loss), asked what it knows, and paused. */
export const settleAll = async (
  stage: Stage,
  signal: AbortSignal,
): Promise<Map<Play, Recalled>> => {
  const recalled = new Map<Play, Recalled>();
  await Promise.all(
    stage.plays.map(async (play) => {
      const session = await bringToRest(stage, play, signal);
      if (session === null || isTerminal(session.state)) return;
      const chance = new Chance(stage.seed, `lose ${play.name}`);
      if (chance.isLucky(0.3)) await lose(stage, play, chance, signal);
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
      await bringToPause(stage, play, chance, signal);
    }),
  );
  return recalled;
};

/** Sessions that are nobody's, because the answer to a request was lost, are ended. */
export const endStrays = async (
  { client, plays, seed }: Stage,
  signal: AbortSignal,
): Promise<void> => {
  const chance = new Chance(seed, "strays");
  const known = new Set(plays.map(({ id }) => id));
  const all = await insist(chance, signal, (patience) =>
    client.call("listSessions", { query: { limit: 1000 }, signal: patience }),
  );
  const strays =
    all.kind === "done"
      ? all.value.sessions.filter(({ id }) => !known.has(id))
      : [];
  for (const { id } of strays) {
    await insist(chance, signal, (patience) =>
      client.call("endSession", { params: { id }, body: {}, signal: patience }),
    );
    for (let runs = true; runs && !signal.aborted;) {
      const seen = await insist(chance, signal, (patience) =>
        client.call("showSession", { params: { id }, signal: patience }),
      );
      runs = seen.kind === "done" && seen.value.is_agent_running;
    }
  }
};

/** Every session has ended or is paused: nothing of them runs. */
export const noneLeft = ({ house, violations }: Stage): void => {
  for (const { pid, session, execution, command } of markedIn(house.home))
    violations.add(
      "P4",
      session,
      `process ${pid} of ${execution} still runs, though its session is at rest: ${command}`,
    );
};

export const readJournals = async (
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
export const caughtUp = async (
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
