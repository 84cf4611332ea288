/**
 * Which sessions somebody asked to remove for good (SES-190). That is written down before the first thing is removed, as a receipt
 * of the session: it goes with the session, in the same transaction. It holds for one stay in the trash, and no longer.
 */
import type { Session } from "../../../contract/session/session.ts";
import type { Receipts } from "../../../journal/receipts.ts";
import type { Store } from "../../ports/store.ts";

/** No request can have this key: an idempotency key has no blanks. */
const KEY = "purge asked";

type Deleted = Pick<Session, "id" | "deleted_at">;

export const notePurge = async (
  receipts: Pick<Receipts, "put">,
  { id, deleted_at }: Deleted,
): Promise<void> =>
  receipts.put({
    scope: id,
    key: KEY,
    request: "",
    answer: JSON.stringify(deleted_at),
  });

export const isPurgeAsked = async (
  receipts: Pick<Receipts, "find">,
  { id, deleted_at }: Deleted,
): Promise<boolean> => {
  const found = await receipts.find(id, KEY);
  return deleted_at !== null && found?.answer === JSON.stringify(deleted_at);
};

/** By session, when it was deleted. */
export const askedPurges = async (
  store: Pick<Store, "receiptsOf">,
): Promise<ReadonlyMap<string, unknown>> => {
  const asked = new Map<string, unknown>();
  let after: string | null = "";
  while (after !== null) {
    const { receipts, next } = await store.receiptsOf(KEY, after);
    for (const { scope, answer } of receipts)
      asked.set(scope, JSON.parse(answer));
    after = next;
  }
  return asked;
};
