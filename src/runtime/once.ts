import { createHash } from "node:crypto";
import { RepriseError } from "../contract/problem.ts";
import type { Receipt, Store } from "./ports.ts";

/** The receipt a request would leave, or the answer it got before. The same key with another request is refused (P1). */
export const answeredBefore = async (
  store: Store,
  scope: string,
  key: string,
  request: unknown,
): Promise<{ answer: string } | { receipt: (answer: unknown) => Receipt }> => {
  const digest = createHash("sha256")
    .update(JSON.stringify(request))
    .digest("hex");
  const known = await store.receipt(scope, key);
  if (known === null)
    return {
      receipt: (answer) => ({
        scope,
        key,
        request: digest,
        answer: JSON.stringify(answer),
      }),
    };
  if (known.request !== digest)
    throw new RepriseError(
      "idempotency_conflict",
      `The key ${key} was used for another request. Use a new key for a new request.`,
    );
  return { answer: known.answer };
};
