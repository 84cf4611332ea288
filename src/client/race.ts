/**
 * A race as the server has it: agreements under its name (RAC-10). What it is and which run was kept are set once; whoever comes
 * later gets what was set first.
 */
import {
  keptName,
  type Race,
  runName,
  trashedName,
} from "../contract/api/race-route.ts";
import type { SessionId } from "../contract/base/id.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Client } from "./client.ts";

type AgreementClient = Pick<Client, "call">;

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
  if (id === null || !(await isOutOfTrash(client, id)))
    throw new RepriseError(
      "wrong_state",
      `Run ${number} was not started, is in the trash or was removed for good, so it cannot be kept.`,
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
    if (!(await isOutOfTrash(client, session_id))) continue;
    await client.deleteSession(session_id);
    gone += 1;
  }
  return gone;
};

/** Neither in the trash nor removed for good. */
const isOutOfTrash = async (
  client: Pick<Client, "showSession">,
  id: SessionId,
): Promise<boolean> => {
  try {
    return (await client.showSession(id)).deleted_at === null;
  } catch (error) {
    if (error instanceof RepriseError && error.code === "session_not_found")
      return false;
    throw error;
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
