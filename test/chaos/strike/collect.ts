/**
 * Garbage collection beside everything else. So that there is something to collect, somebody comes by, leaves a large
 * file in a session and throws the session away.
 */
import { setTimeout as pause } from "node:timers/promises";
import { insist } from "../user/insist.ts";
import { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";

export const collectOnAndOn = async (stage: Stage): Promise<void> => {
  const chance = new Chance(stage.seed, "gc");
  while (!stage.over.aborted) {
    await collect(stage, chance, stage.over);
    await pause(chance.between(0, 3000), undefined, {
      signal: stage.over,
    }).catch(() => null);
  }
};

export const collect = async (
  { client, tally, violations }: Stage,
  chance: Chance,
  until: AbortSignal,
): Promise<void> => {
  const outcome = await insist(chance, until, (signal) =>
    client.call("collectGarbage", { body: {}, signal }),
  );
  if (outcome.kind === "refused")
    violations.add(
      "CPT-14",
      null,
      `gc was refused: ${outcome.code} ${outcome.message}`,
    );
  if (outcome.kind !== "done") return;
  const { purged, freed_bytes } = outcome.value;
  tally.collections.done += 1;
  tally.collections.purged += purged.length;
  tally.collections.freedBytes += freed_bytes;
};

/** Makes sessions and throws them away. */
export const litterOnAndOn = async (stage: Stage): Promise<void> => {
  const chance = new Chance(stage.seed, "litter");
  for (let n = 1; !stage.over.aborted; n += 1) await litter(stage, chance, n);
};

const litter = async (
  { client, house, over }: Stage,
  chance: Chance,
  n: number,
): Promise<void> => {
  const body = {
    name: `litter-${n}`,
    env: { CHAOS_SESSION: `litter-${n}`, CHAOS_HOME: house.home },
    prompt: `run head -c ${chance.between(1, 300_000)} /dev/urandom >large`,
  };
  const created = await insist(chance, over, (signal) =>
    client.call("createSession", { body, key: `litter-${n}`, signal }),
  );
  if (created.kind !== "done") return;
  const params = { id: created.value.id };
  await pause(chance.between(1000, 4000), undefined, { signal: over }).catch(
    () => null,
  );
  // It may have been ended, deleted or even purged by a request whose answer was lost.
  await insist(chance, over, (signal) =>
    client.call("endSession", { params, body: {}, signal }),
  );
  await insist(chance, over, (signal) =>
    client.call("deleteSession", { params, signal }),
  );
};
