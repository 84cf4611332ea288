import { join } from "node:path";
import { readFileSync } from "node:fs";
import { DAMAGE_FILE, DamageFile } from "../../contract/session/damage.ts";
import { writeDurably } from "../../kit/files/durable-file.ts";
import type { Generation } from "./generation.ts";
import type { Damage } from "../packs/damage.ts";
import { DamagedPlaces, type PackPlace } from "../packs/damaged-places.ts";
import type { VerifiedVault } from "./verify-vault.ts";

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
    if (isNew || !this.#isWritten) await this.#keep({ lacking: true });
  }

  /** Packs that were removed are damaged no more. */
  async forget(packs: readonly string[]): Promise<void> {
    const gone = new Set(packs);
    const places = this.#file.places.filter(({ pack }) => !gone.has(pack));
    if (places.length === this.#file.places.length) return;
    this.#file = { ...this.#file, places };
    this.#places = new DamagedPlaces(places);
    await this.#keep({ lacking: false });
  }

  /** Everything was read: what is damaged is known, and what was and is not any more is read again. */
  async verified(
    { places, broken }: VerifiedVault,
    began: Date,
  ): Promise<void> {
    const at = new Date().toISOString();
    const since = this.#file.places.filter(
      ({ found_at }) => found_at >= began.toISOString(),
    );
    const known = new Map(
      this.#file.places.map((place) => [nameOf(place), place.found_at]),
    );
    const found = places.map(({ pack, block, object }) => ({
      pack,
      block,
      object,
      found_at: known.get(nameOf({ pack, block, object })) ?? at,
    }));
    const lacking = found.some((place) => this.#places.add(place));
    this.#places = new DamagedPlaces(found);
    this.#file = {
      version: 1,
      places: [...found, ...since.filter((place) => this.#places.add(place))],
      lost_packs: broken.length === 0 ? [] : this.#file.lost_packs,
      verified: { at, broken_trees: broken.length },
    };
    await this.#keep({ lacking });
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

  /** When more is lacking than was known, whoever relies on it has to look again. */
  async #keep({ lacking }: { lacking: boolean }): Promise<void> {
    this.#isWritten = false;
    const write = async (): Promise<void> => {
      // Of many that wait the first one writes what all of them know.
      if (this.#isWritten) return;
      this.#isWritten = true;
      await writeDurably(this.path, `${JSON.stringify(this.#file)}\n`);
    };
    try {
      await (lacking
        ? this.#generation.distrust(write)
        : this.#generation.change(write));
    } catch (error) {
      this.#isWritten = false;
      this.#warn(`damage could not be written down: ${String(error)}`);
    }
  }
}

const nameOf = ({ pack, block, object }: PackPlace): string =>
  `${pack} ${block} ${object}`;

const noDamage = (): DamageFile => ({
  version: 1,
  places: [],
  lost_packs: [],
  verified: null,
});

/** Null when it is not there or cannot be used: then damage is found anew. */
const readDamageFile = (path: string): DamageFile | null => {
  try {
    const parsed = DamageFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};
