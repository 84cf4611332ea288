import { placeOfKey } from "../contract/base/place-key.ts";
import type { Unswept } from "../runtime/ports/store.ts";

/** At which places sessions were purged, and for how many of these the vault was swept. */
export class MemorySweeps {
  /** By the key of the place. */
  readonly #places = new Map<string, { purges: number; swept: number }>();

  purged(key: string): void {
    const { purges, swept } = this.#places.get(key) ?? { purges: 0, swept: 0 };
    this.#places.set(key, { purges: purges + 1, swept });
  }

  swept(key: string, purges: number): void {
    const known = this.#places.get(key);
    if (known !== undefined) known.swept = Math.max(known.swept, purges);
  }

  unswept(): Unswept[] {
    return [...this.#places].flatMap(([key, { purges, swept }]) => {
      const place = placeOfKey(key);
      return purges > swept && place !== null ? [{ place, purges }] : [];
    });
  }
}
