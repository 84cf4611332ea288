/** Receipts of the store in memory. */
import { AGREEMENTS } from "../contract/api/agreement-route.ts";
import { RACE } from "../contract/api/race-route.ts";
import type { Receipt, ReceiptPage } from "../runtime/ports/store.ts";
import { compared } from "./memory-lists.ts";

const PAGE = 100;

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

  /** Unless it has one. The newest of its scope are kept, so many. */
  add(receipt: Receipt, kept: number): void {
    if (this.has(receipt)) return;
    this.put(receipt);
    const names = [...this.#receipts]
      .filter(([, { scope }]) => scope === receipt.scope)
      .map(([name]) => name);
    for (const name of names.slice(0, -kept)) this.#receipts.delete(name);
  }

  withKey(key: string, after: string): ReceiptPage {
    const behind = [...this.#receipts.values()]
      .filter((receipt) => receipt.key === key && receipt.scope > after)
      .sort((a, b) => compared(a.scope, b.scope));
    const receipts = behind.slice(0, PAGE).map((receipt) => ({ ...receipt }));
    const last = receipts.at(-1)?.scope ?? null;
    return { receipts, next: behind.length > PAGE ? last : null };
  }

  /** The names of races' agreements, the newest first. */
  races(after: string | null, limit: number): string[] {
    const names = [...this.#receipts.values()]
      .filter(({ scope, key }) => scope === AGREEMENTS && key.startsWith(RACE))
      .map(({ key }) => key)
      .toReversed();
    const from = after === null ? 0 : names.indexOf(after) + 1;
    return after !== null && from === 0 ? [] : names.slice(from, from + limit);
  }

  drop(scope: string): void {
    for (const [name, receipt] of this.#receipts)
      if (receipt.scope === scope) this.#receipts.delete(name);
  }
}

const nameOf = ({ scope, key }: { scope: string; key: string }): string =>
  JSON.stringify([scope, key]);
