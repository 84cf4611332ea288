/** Values that are set once (API-174). An agreement is a receipt: its name is the key, and its value the answer. */
import type { Agreement } from "../../contract/api/agreement-route.ts";
import type { Store } from "../ports/store.ts";

const SCOPE = "agreements";

/** So many are kept, the newest. */
const KEPT = 10_000;

export const agreementOperations = ({
  store,
  term,
}: {
  store: Pick<Store, "receipt" | "addReceipt">;
  term: number;
}) => {
  const showAgreement = async (name: string): Promise<Agreement> => {
    const found = await store.receipt(SCOPE, name);
    return { name, value: found?.answer ?? null };
  };
  return {
    showAgreement,
    /** The store takes only the first. */
    agree: async (name: string, value: string): Promise<Agreement> => {
      const receipt = { scope: SCOPE, key: name, request: "", answer: value };
      await store.addReceipt(term, receipt, KEPT);
      return showAgreement(name);
    },
  };
};
