/** Values that are set once (RAC-10). An agreement is a receipt: its name is the key, and its value the answer. */
import type { Agreement } from "../../contract/api/agreement-route.ts";
import type { OperationDeps } from "./operation-deps.ts";

const SCOPE = "agreements";

export const agreementOperations = ({
  receipts,
  lanes,
}: Pick<OperationDeps, "receipts" | "lanes">) => {
  const showAgreement = async (name: string): Promise<Agreement> => {
    const found = await receipts.find(SCOPE, name);
    return { name, value: found?.answer ?? null };
  };
  return {
    showAgreement,
    /** One after the other, so that the first one is the only one that writes. */
    agree: (name: string, value: string): Promise<Agreement> =>
      lanes.run(`${SCOPE} ${name}`, async () => {
        const known = await showAgreement(name);
        if (known.value !== null) return known;
        await receipts.put({
          scope: SCOPE,
          key: name,
          request: "",
          answer: value,
        });
        return { name, value };
      }),
  };
};
