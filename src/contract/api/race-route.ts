/** Races: sessions that were given one prompt, told apart by number. They are kept as agreements (RAC-10). */
import * as z from "zod";
import { isSessionId, SessionId } from "../base/id.ts";
import { at } from "./route-table.ts";

export const RaceShape = z.object({
  /** A digest: the text may be long, and is nobody's business here. */
  prompt: z.string(),
  agents: z.array(z.string()),
  repository: z.string().nullable(),
  session: z.string().nullable(),
  permissions: z.string().nullable(),
});
export type RaceShape = z.infer<typeof RaceShape>;

export const Race = z.object({
  name: z.string(),
  shape: RaceShape,
  /** In the order of their numbers, from 1. `session_id` is null where the run was not started, or by an older release. */
  runs: z.array(
    z.object({
      number: z.number().int(),
      agent: z.string(),
      session_id: SessionId.nullable(),
    }),
  ),
  /** The number of the run that was kept. */
  kept: z.number().int().nullable(),
});
export type Race = z.infer<typeof Race>;

export const RacePage = z.object({
  races: z.array(Race),
  next: z.string().nullable(),
});

export const RacesQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** The `next` of the page before. */
  after: z.string().min(1).max(200).optional(),
});
export type RacesQuery = z.output<typeof RacesQuery>;

/** What the name of a race's own agreement begins with. */
export const RACE = "race.";

/** Under which names a race keeps what it is, which run was kept, that the others are in the trash, and the session of each run. */
export const raceAgreement = (race: string): string => `${RACE}${race}`;
export const keptName = (race: string): string => `race-kept.${race}`;
export const trashedName = (race: string): string => `race-trashed.${race}`;
export const runName = (race: string, number: number): string =>
  `race-run.${number}.${race}`;

/** Reads a race by the values of its agreements. Null where there is none of this name. */
export const raceOf = async (
  name: string,
  valueOf: (agreement: string) => Promise<string | null>,
): Promise<Race | null> => {
  const shape = shapeIn(await valueOf(raceAgreement(name)));
  if (shape === null) return null;
  const [kept, sessions] = await Promise.all([
    valueOf(keptName(name)),
    Promise.all(
      shape.agents.map((_, index) => valueOf(runName(name, index + 1))),
    ),
  ]);
  const runs = shape.agents.map((agent, index) => {
    const id = sessions[index] ?? "";
    const session_id = isSessionId(id) ? id : null;
    return { number: index + 1, agent, session_id };
  });
  return { name, shape, runs, kept: kept === null ? null : Number(kept) };
};

export const shapeIn = (value: string | null): RaceShape | null => {
  try {
    return value === null ? null : RaceShape.parse(JSON.parse(value));
  } catch {
    return null;
  }
};

export const raceRoutes = {
  listRaces: {
    ...at("listRaces"),
    summary: "List races, the newest first",
    query: RacesQuery,
    answer: RacePage,
  },
} as const;
