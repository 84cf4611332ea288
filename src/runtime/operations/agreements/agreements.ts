/** Values that are set once (API-174). An agreement is a receipt: its name is the key, and its value the answer. */
import type { Agreement } from "../../../contract/api/agreement-route.ts";
import type { Race, RacesQuery } from "../../../contract/api/race-route.ts";
import { AGREEMENTS, RACE } from "../../../contract/base/agreement-names.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { Store } from "../../ports/store.ts";
import { raceOf } from "./race.ts";

/** So many are kept, the newest. */
const KEPT = 10_000;

export const agreementOperations = ({
  store,
  term,
}: {
  store: Pick<Store, "receipt" | "addReceipt" | "races">;
  term: number;
}) => {
  const showAgreement = async (name: string): Promise<Agreement> => {
    const found = await store.receipt(AGREEMENTS, name);
    return { name, value: found?.answer ?? null };
  };
  const findRace = (name: string): Promise<Race | null> =>
    raceOf(name, async (agreement) => (await showAgreement(agreement)).value);
  return {
    showAgreement,
    /** The store takes only the first. */
    agree: async (name: string, value: string): Promise<Agreement> => {
      const receipt = {
        scope: AGREEMENTS,
        key: name,
        request: "",
        answer: value,
      };
      await store.addReceipt(term, receipt, KEPT);
      return showAgreement(name);
    },
    /** One that cannot be read, or that another release has written, is left out. */
    listRaces: async ({
      limit,
      after,
    }: RacesQuery): Promise<{ races: Race[]; next: string | null }> => {
      const names = await store.races(after ?? null, limit + 1);
      const page = names.slice(0, limit);
      const races = await Promise.all(
        page.map((name) =>
          findRace(name.slice(RACE.length)).catch(nullIfDamaged),
        ),
      );
      return {
        races: races.filter((race) => race !== null),
        next: names.length > limit ? (page.at(-1) ?? null) : null,
      };
    },
    showRace: async (name: string): Promise<Race> => {
      const race = await findRace(name);
      if (race !== null) return race;
      throw new RepriseError("not_found", `There is no race ${name}.`);
    },
  };
};

const nullIfDamaged = (error: unknown): null => {
  if (error instanceof RepriseError && error.code === "storage_damaged")
    return null;
  throw error;
};
