/**
 * A race as the server has it: agreements under its name (RAC-10). What it is and which run was kept are set once; whoever comes
 * later gets what was set first.
 */
import * as z from "zod";
import { isSessionId, type SessionId } from "../contract/base/id.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Client } from "./client.ts";

export const RaceShape = z.object({
  /** A digest: the text may be long, and is nobody's business here. */
  prompt: z.string(),
  agents: z.array(z.string()),
  repository: z.string().nullable(),
  session: z.string().nullable(),
  permissions: z.string().nullable(),
});
export type RaceShape = z.infer<typeof RaceShape>;

export interface Race {
  name: string;
  shape: RaceShape;
  /** In the order of their numbers, from 1. `session_id` is null where the run was not started, or by an older release. */
  runs: readonly {
    number: number;
    agent: string;
    session_id: SessionId | null;
  }[];
  /** The number of the run that was kept. */
  kept: number | null;
}

type AgreementClient = Pick<Client, "call">;

export const raceAgreement = (race: string): string => `race.${race}`;
/** No name of a race makes one the other. */
const keptName = (race: string): string => `race-kept.${race}`;
const trashedName = (race: string): string => `race-trashed.${race}`;
const runName = (race: string, number: number): string =>
  `race-run.${number}.${race}`;

/** Null where there is no race of this name. */
export const readRace = async (
  client: AgreementClient,
  name: string,
): Promise<Race | null> => {
  const shape = shapeIn(await valueOf(client, raceAgreement(name)));
  if (shape === null) return null;
  const [kept, sessions] = await Promise.all([
    keptRun(client, name),
    Promise.all(
      shape.agents.map((_, at) => valueOf(client, runName(name, at + 1))),
    ),
  ]);
  const runs = shape.agents.map((agent, at) => {
    const id = sessions[at] ?? "";
    const session_id = isSessionId(id) ? id : null;
    return { number: at + 1, agent, session_id };
  });
  return { name, shape, runs, kept };
};

/** The session of a run, for whoever shows the race. */
export const recordRun = async (
  client: AgreementClient,
  { name, number, session }: { name: string; number: number; session: string },
): Promise<void> => {
  await agreed(client, runName(name, number), session);
};

export const keptRun = async (
  client: AgreementClient,
  name: string,
): Promise<number | null> => {
  const value = await valueOf(client, keptName(name));
  return value === null ? null : Number(value);
};

/** The number that counts: this one, or the one that somebody else chose before. */
export const decideKept = async (
  client: AgreementClient,
  name: string,
  number: number,
): Promise<number> =>
  Number(await agreed(client, keptName(name), String(number)));

/** Whether the others went to the trash: who was taken out of it since stays out. */
export const isCarriedOut = async (
  client: AgreementClient,
  name: string,
): Promise<boolean> => (await valueOf(client, trashedName(name))) !== null;

export const markCarriedOut = async (
  client: AgreementClient,
  name: string,
): Promise<void> => {
  await agreed(client, trashedName(name), "yes");
};

/** Decides which run is kept, then puts the others into the trash (RAC-11). */
export const keepRun = async (
  client: AgreementClient & Pick<Client, "showSession" | "deleteSession">,
  race: Race,
  number: number,
): Promise<void> => {
  const id = race.runs[number - 1]?.session_id ?? null;
  if (id === null || (await client.showSession(id)).deleted_at !== null)
    throw new RepriseError(
      "wrong_state",
      `Run ${number} was not started or is in the trash, so it cannot be kept.`,
    );
  const decided = await decideKept(client, race.name, number);
  if (decided !== number)
    throw new RepriseError(
      "wrong_state",
      `Run ${decided} of the race ${race.name} was kept before, and a race keeps one.`,
    );
  await trashOthers(client, race.runs, number);
  await markCarriedOut(client, race.name);
};

/** Resolves with how many went. */
export const trashOthers = async (
  client: Pick<Client, "showSession" | "deleteSession">,
  runs: readonly { number: number; session_id: SessionId | null }[],
  kept: number,
): Promise<number> => {
  let gone = 0;
  for (const { number, session_id } of runs) {
    if (number === kept || session_id === null) continue;
    const { deleted_at } = await client.showSession(session_id);
    if (deleted_at !== null) continue;
    await client.deleteSession(session_id);
    gone += 1;
  }
  return gone;
};

export const shapeIn = (value: string | null): RaceShape | null => {
  try {
    return value === null ? null : RaceShape.parse(JSON.parse(value));
  } catch {
    return null;
  }
};

const valueOf = async (
  client: AgreementClient,
  name: string,
): Promise<string | null> =>
  (await client.call("showAgreement", { params: { name } })).value;

/** The value that counts. */
export const agreed = async (
  client: AgreementClient,
  name: string,
  value: string,
): Promise<string> => {
  const answer = await client.call("agree", {
    params: { name },
    body: { value },
  });
  return answer.value ?? value;
};
