/** Receipts of the store in memory. */
import type { Receipt } from "../runtime/ports/store.ts";
import { compared } from "./memory-lists.ts";

/** So many are told of one key. */
const MAX_OF_KEY = 100;

export class MemoryReceipts {
  readonly #receipts = new Map<string, Receipt>();

  has(receipt: Receipt): boolean {
    return this.#receipts.has(nameOf(receipt));
  }

  put(receipt: Receipt): void {
    this.#receipts.set(nameOf(receipt), { ...receipt });
  }

  find(scope: string, key: string): Receipt | null {
    const receipt = this.#receipts.get(nameOf({ scope, key }));
    return receipt === undefined ? null : { ...receipt };
  }

  withKey(key: string): Receipt[] {
    return [...this.#receipts.values()]
      .filter((receipt) => receipt.key === key)
      .sort((a, b) => compared(a.scope, b.scope))
      .slice(0, MAX_OF_KEY)
      .map((receipt) => ({ ...receipt }));
  }

  drop(scope: string): void {
    for (const [name, receipt] of this.#receipts)
      if (receipt.scope === scope) this.#receipts.delete(name);
  }
}

const nameOf = ({ scope, key }: { scope: string; key: string }): string =>
  JSON.stringify([scope, key]);
