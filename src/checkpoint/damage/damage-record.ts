import { join } from "node:path";
import { DAMAGE_FILE, type DamageFile } from "../../contract/damage.ts";
import { writeDurably } from "../../kit/durable-file.ts";
import type { Generation } from "../generation.ts";
import type { Damage } from "./damage.ts";
import { readDamageFile } from "./damage-file.ts";
import { DamagedPlaces } from "./damaged-places.ts";

/** What is wrong with the packs, in a file beside them, so that it is known to all threads and after a restart. */
export class DamageRecord {
  readonly path: string;
  readonly #generation: Generation;
  readonly #warn: (warning: string) => void;
  #file: DamageFile;
  #places: DamagedPlaces;
  /** Whether the file says what we know. */
  #isWritten = true;

  constructor(
    folder: string,
    generation: Generation,
    warn: (warning: string) => void,
  ) {
    this.path = join(folder, DAMAGE_FILE);
    this.#generation = generation;
    this.#warn = warn;
    this.#file = readDamageFile(this.path) ?? noDamage();
    this.#places = new DamagedPlaces(this.#file.places);
  }

  /** Writes down what was found, unless it is known. Saves wait until that is done. */
  async note(found: readonly Damage[]): Promise<void> {
    const found_at = new Date().toISOString();
    let isNew = false;
    for (const damage of found) {
      const added =
        damage.kind === "lost"
          ? this.#addLost(damage.pack, found_at)
          : this.#addPlace(damage, found_at);
      isNew ||= added;
    }
    if (isNew || !this.#isWritten) await this.#keep();
  }

  /** Packs that were removed are damaged no more. */
  async forget(packs: readonly string[]): Promise<void> {
    const gone = new Set(packs);
    const places = this.#file.places.filter(({ pack }) => !gone.has(pack));
    if (places.length === this.#file.places.length) return;
    this.#file = { ...this.#file, places };
    this.#places = new DamagedPlaces(places);
    await this.#keep();
  }

  #addPlace(
    { pack, block, object, why }: Extract<Damage, { kind: "damaged" }>,
    found_at: string,
  ): boolean {
    if (!this.#places.add({ pack, block, object })) return false;
    this.#file.places.push({ pack, block, object, found_at });
    this.#warn(`${pack} is damaged: ${why}`);
    return true;
  }

  #addLost(pack: string, found_at: string): boolean {
    const { lost_packs } = this.#file;
    if (this.#generation.wasRemoved(pack)) return false;
    if (lost_packs.some((each) => each.pack === pack)) return false;
    lost_packs.push({ pack, found_at });
    this.#warn(`${pack} is not there any more`);
    return true;
  }

  async #keep(): Promise<void> {
    this.#isWritten = false;
    try {
      await this.#generation.distrust(async () => {
        await writeDurably(this.path, `${JSON.stringify(this.#file)}\n`);
        this.#isWritten = true;
      });
    } catch (error) {
      this.#warn(`damage could not be written down: ${String(error)}`);
    }
  }
}

const noDamage = (): DamageFile => ({
  version: 1,
  places: [],
  lost_packs: [],
  verified: null,
});
