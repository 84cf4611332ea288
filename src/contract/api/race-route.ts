/** Races: sessions that were given one prompt, told apart by number. They are kept as agreements (RAC-10). */
import * as z from "zod";
import { RACE } from "../base/agreement-names.ts";
import { SessionId } from "../base/id.ts";
import { endpoint } from "./route-table.ts";

/** So many runs has a race at most. */
export const MAX_RUNS = 20;

export const RaceShape = z.object({
  /** A digest: the text may be long, and is nobody's business here. */
  prompt: z.string(),
  /** The agent of each run. */
  agents: z.array(z.string()).max(MAX_RUNS),
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
  /** The others went to the trash. False where no run was kept, or keeping one was cut off (RAC-29). */
  carried_out: z.boolean(),
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

/** Under which names a race keeps what it is, which run was kept, that the others are in the trash, and the session of each run. */
export const raceAgreement = (race: string): string => `${RACE}${race}`;
export const keptName = (race: string): string => `race-kept.${race}`;
export const trashedName = (race: string): string => `race-trashed.${race}`;
export const runName = (race: string, number: number): string =>
  `race-run.${number}.${race}`;

/** Reads the value of a race's own agreement. Null where it is that of no race, or of one that another release has written. */
export const shapeIn = (value: string): RaceShape | null => {
  try {
    return RaceShape.parse(JSON.parse(value));
  } catch {
    return null;
  }
};

export const raceRoutes = {
  listRaces: {
    ...endpoint("listRaces"),
    summary: "List races, the newest first",
    query: RacesQuery,
    answer: RacePage,
  },
  showRace: {
    ...endpoint("showRace"),
    summary: "A race, its runs and which of them was kept",
    answer: Race,
  },
} as const;
