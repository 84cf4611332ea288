/** A run in words. */
import type { ChaosResult } from "./run.ts";
import { targets } from "./tally.ts";

export const describeResult = (result: ChaosResult): string => {
  const { tally, violations } = result;
  const refusals = [...tally.refusals]
    .map(([code, times]) => `${code} ${times}`)
    .join(", ");
  return [
    "",
    row(["target", "killed", "in a turn", "frozen"]),
    ...targets.map((target) => {
      const { killed, inTurn, frozen } = tally.strikes[target];
      return row([target, killed, inTurn, frozen]);
    }),
    "",
    `sessions ${tally.sessions} · turns ${result.turns} · executions ${result.executions} · events ${result.events}`,
    `prompts ${tally.prompts} · sent again with the same key ${tally.repeated} · permissions ${tally.permissions}`,
    `second servers: refused ${tally.rivals.refused}, took over ${tally.rivals.tookOver}, let in ${tally.rivals.intruded}`,
    `checkpoints saved ${tally.checkpoints.saved}, partial ${tally.checkpoints.partial}, failed ${tally.checkpoints.failed} · rewinds ${tally.rewinds} · forks ${tally.forks}`,
    `workspaces listed at rest ${tally.rests} · lost and brought back ${tally.losses} · lost by mistake ${tally.disturbed}`,
    `workspaces on ${on(result.fileSystems)} · mounted or unmounted in them ${tally.mounts}`,
    ...(result.leftOut === null ? [] : [`LEFT OUT: ${result.leftOut}`]),
    `collections ${tally.collections.done}, purged ${tally.collections.purged} sessions, freed ${Math.round(tally.collections.freedBytes / 1024)} KiB`,
    `server starts ${result.serverStarts} · connections of witnesses ${result.connections} · refused: ${refusals || "nothing"}`,
    "",
    ...violations.map(
      ({ rule, session, what }) => `✖ [${rule}] ${session ?? ""} ${what}`,
    ),
    `${violations.length} violations`,
  ].join("\n");
};

const on = (fileSystems: ChaosResult["fileSystems"]): string =>
  [...fileSystems].map(([kind, times]) => `${kind} ${times}`).join(", ");

const row = ([first, ...rest]: readonly (string | number)[]): string =>
  `${String(first).padEnd(12)}${rest.map((cell) => String(cell).padStart(10)).join("")}`;
