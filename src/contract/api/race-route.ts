/** Races: sessions that were given one prompt, told apart by number. They are kept as agreements (RAC-10). */
import * as z from "zod";
import { RACE } from "../base/agreement-names.ts";
import { isSessionId, SessionId } from "../base/id.ts";
import { isRecord } from "../base/is-record.ts";
import { endpoint } from "./route-table.ts";

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
  const isRun = runs.some(({ number }) => String(number) === kept);
  return { name, shape, runs, kept: isRun ? Number(kept) : null };
};

/** As `RaceShape` says, without it: what reads a race is in the page, which has no schemas. */
export const shapeIn = (value: string | null): RaceShape | null => {
  const shape = value === null ? null : parsed(value);
  if (!isRecord(shape)) return null;
  const { prompt, agents, repository, session, permissions } = shape;
  if (typeof prompt !== "string" || !isTexts(agents)) return null;
  if (!isTextOrNull(repository) || !isTextOrNull(session)) return null;
  if (!isTextOrNull(permissions)) return null;
  return { prompt, agents, repository, session, permissions };
};

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isTextOrNull = (value: unknown): value is string | null =>
  value === null || typeof value === "string";

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
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
} as const;
