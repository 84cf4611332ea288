import { readFileSync, statSync } from "node:fs";
import { DamagedPlaces, type PackPlace } from "./damaged-places.ts";

/** What is written down as damaged, as a thread sees it. The file is replaced by whoever opened the vault. */
export class KnownDamage {
  readonly #path: string;
  #seen: string | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** What is in the file; null when it has not changed since the last look. */
  changed(): DamagedPlaces | null {
    const seen = fingerprint(this.#path);
    if (seen === this.#seen) return null;
    this.#seen = seen;
    return new DamagedPlaces(seen === "" ? [] : placesIn(this.#path));
  }
}

/** Another one whenever the file was replaced; empty when there is none. */
const fingerprint = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
};

/** None where the file cannot be used: then damage is found anew. Read by hand: threads carry no parser with them. */
const placesIn = (path: string): PackPlace[] => {
  try {
    const file: unknown = JSON.parse(readFileSync(path, "utf8"));
    const places = isObject(file) ? file["places"] : null;
    return Array.isArray(places) ? places.filter(isPlace) : [];
  } catch {
    return [];
  }
};

const isPlace = (place: unknown): place is PackPlace =>
  isObject(place) &&
  typeof place["pack"] === "string" &&
  (place["block"] === null || typeof place["block"] === "number") &&
  (place["object"] === null || typeof place["object"] === "string");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
