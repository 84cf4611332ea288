/** One run is kept, the others go to the trash. */
import type { Client } from "../../client/client.ts";
import {
  decideKept,
  isCarriedOut,
  keptRun,
  markCarriedOut,
  trashOthers,
} from "../../client/race.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { count } from "../terminal/age.ts";
import { CTRL_C, type World } from "../terminal/world.ts";
import type { Outcome } from "./outcome.ts";
import type { RaceOrder } from "./plan.ts";

/**
 * Resolves with the number of the run that was kept; null when all were, `CTRL_C` when nobody decided. The choice is durable before anything goes to the
 * trash, and there is one for a race: whoever was interrupted goes on with it, and whoever wants another one is refused.
 */
export const keep = async (
  world: World,
  client: Client,
  order: RaceOrder,
  runs: readonly Outcome[],
  asked: number | undefined,
): Promise<number | typeof CTRL_C | null> => {
  const before = await keptRun(client, order.name);
  const number = asked ?? before ?? (await choice(world, runs));
  if (number === null || number === CTRL_C) return number;
  if (before !== null && before !== number)
    throw keptAnother(world, order, before, runs[number - 1]);
  const kept = runs[number - 1];
  const isDone = before !== null && (await isCarriedOut(client, order.name));
  if (asked === undefined && isDone) {
    if (!world.json)
      world.out.write(`Run ${number} was kept.\n${whereText(kept)}`);
    return number;
  }
  await requireThere(world, client, number, kept);
  if (before !== null && !isDone && !world.json)
    world.err.write(
      `Keeping run ${number} was cut off: the others have not all gone to the trash. They go now.\n`,
    );
  const decided = await decideKept(client, order.name, number);
  if (decided !== number) throw keptAnother(world, order, decided, kept);
  const gone = await trashOthers(client, runs, number);
  await markCarriedOut(client, order.name);
  if (!world.json) world.out.write(keptText(world, kept, number, gone));
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
  runs: readonly Outcome[],
): Promise<number | typeof CTRL_C | null> => {
  if (world.json) return null;
  for (;;) {
    const line = await world.ask(
      `Keep which? (1 to ${runs.length}; Enter keeps all) `,
    );
    if (line === CTRL_C) return CTRL_C;
    if (line === null || line.trim() === "") return null;
    const number = Number(line.trim());
    if (runs[number - 1] !== undefined) return number;
  }
};

/** Nothing goes to the trash for a run that is not there. */
const requireThere = async (
  world: World,
  client: Client,
  number: number,
  run: Outcome | undefined,
): Promise<void> => {
  const id = run?.session_id ?? null;
  if (id === null)
    throw new RepriseError(
      "wrong_state",
      `Run ${number} was not started, so it cannot be kept. All others are still there.`,
    );
  if ((await client.showSession(id)).deleted_at !== null)
    throw new RepriseError(
      "wrong_state",
      `Run ${number} is in the trash, so it cannot be kept. Take it out with \`${world.program} session undelete ${id}\` first.`,
    );
};

const keptAnother = (
  { program }: World,
  { name }: RaceOrder,
  kept: number,
  wanted: Outcome | undefined,
): RepriseError => {
  const id = wanted?.session_id ?? null;
  const back =
    id === null
      ? ""
      : ` Run ${wanted?.number} goes to the trash; \`${program} session undelete ${id}\` takes it out.`;
  return new RepriseError(
    "wrong_state",
    `Run ${kept} of the race ${name} was kept before, and a race keeps one.${back}`,
  );
};

const keptText = (
  { program }: World,
  kept: Outcome | undefined,
  number: number,
  gone: number,
): string => {
  const others =
    gone === 0
      ? "the others are in the trash"
      : `${count(gone, "session")} went to the trash`;
  return `Kept ${number}; ${others}. \`${program} session undelete ID\` takes one out.\n${whereText(kept)}`;
};

const whereText = (kept: Outcome | undefined): string =>
  kept === undefined || kept.cwd === null ? "" : `Its work is in ${kept.cwd}\n`;
