/** Values that are set once (API-174). An agreement is a receipt: its name is the key, and its value the answer. */
import {
  type Agreement,
  AGREEMENTS,
} from "../../contract/api/agreement-route.ts";
import {
  type Race,
  RACE,
  raceOf,
  type RacesQuery,
} from "../../contract/api/race-route.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Store } from "../ports/store.ts";

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
          raceOf(
            name.slice(RACE.length),
            async (each) => (await showAgreement(each)).value,
          ).catch(nullIfDamaged),
        ),
      );
      return {
        races: races.filter((race) => race !== null),
        next: names.length > limit ? (page.at(-1) ?? null) : null,
      };
    },
  };
};

const nullIfDamaged = (error: unknown): null => {
  if (error instanceof RepriseError && error.code === "storage_damaged")
    return null;
  throw error;
};
