/** One run is kept, the others go to the trash. */
import type { Client } from "../../client/client.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { count } from "../terminal/age.ts";
import type { World } from "../terminal/world.ts";
import type { Outcome } from "./outcome.ts";
import type { RaceOrder } from "./plan.ts";

/** Resolves with the number of the run that was kept; null when all were. */
export const keep = async (
  world: World,
  client: Client,
  order: RaceOrder,
  runs: readonly Outcome[],
  asked: number | undefined,
): Promise<number | null> => {
  const number = asked ?? (await choice(world, order));
  if (number === null) return null;
  let gone = 0;
  for (const { number: each, session_id } of runs) {
    if (each === number || session_id === null) continue;
    const { deleted_at } = await client.showSession(session_id);
    if (deleted_at !== null) continue;
    await client.deleteSession(session_id);
    gone += 1;
  }
  if (!world.json)
    world.out.write(
      `Kept ${number}; ${count(gone, "session")} went to the trash. \`${world.program} session undelete ID\` takes one out.\n${whereItIs(runs[number - 1])}`,
    );
  return number;
};

/** A number that a run of this race has. */
export const numberIn = (
  { agents }: Pick<RaceOrder, "agents">,
  number: number,
): number => {
  if (Number.isInteger(number) && number >= 1 && number <= agents.length)
    return number;
  throw new UsageError(
    `There is no run ${number}: this race has ${count(agents.length, "run")}.`,
  );
};

const choice = async (
  world: World,
  order: RaceOrder,
): Promise<number | null> => {
  if (world.json) return null;
  for (;;) {
    const line = await world.ask(
      `Keep which? (1 to ${order.agents.length}; Enter keeps all) `,
    );
    if (line === null || line.trim() === "") return null;
    const number = Number(line.trim());
    if (order.agents[number - 1] !== undefined) return number;
  }
};

const whereItIs = (kept: Outcome | undefined): string =>
  kept === undefined || kept.cwd === null ? "" : `Its work is in ${kept.cwd}\n`;
