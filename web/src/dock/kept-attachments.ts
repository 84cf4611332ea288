/**
 * What is attached to drafts, kept over a reload. It is too large for where texts are kept, so it has a place of its own; the
 * oldest go when there is too much.
 */
import { isRecord } from "../../../src/contract/base/is-record.ts";
import { isNothing, type Kept, NOTHING_KEPT } from "./kept.ts";

/** Where it is put: the browser's database, or memory. */
export interface KeptBox {
  read(name: string): Promise<unknown>;
  write(name: string, kept: Kept, facts: KeptFacts): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly (KeptFacts & { name: string })[]>;
}

export interface KeptFacts {
  at: number;
  bytes: number;
}

const MAX_DRAFTS = 20;
const MAX_BYTES = 50_000_000;

export class KeptAttachments {
  readonly #box: KeptBox;
  readonly #now: () => number;
  /** What the browser did not keep. */
  readonly #held = new Map<string, Kept>();

  constructor(box: KeptBox, now: () => number) {
    this.#box = box;
    this.#now = now;
  }

  async read(name: string): Promise<Kept> {
    const held = this.#held.get(name);
    if (held !== undefined) return held;
    const found = await this.#box.read(name).catch(() => null);
    return isKept(found) ? found : NOTHING_KEPT;
  }

  async write(name: string, kept: Kept): Promise<void> {
    if (isNothing(kept)) return this.remove(name);
    const bytes = sizeOf(kept);
    try {
      await this.#makeRoom(name, bytes);
      await this.#box.write(name, kept, { at: this.#now(), bytes });
      this.#held.delete(name);
    } catch {
      this.#held.set(name, kept);
    }
  }

  async remove(name: string): Promise<void> {
    this.#held.delete(name);
    await this.#box.remove(name).catch(() => undefined);
  }

  async #makeRoom(name: string, bytes: number): Promise<void> {
    const others = (await this.#box.list()).filter(
      (each) => each.name !== name,
    );
    for (const old of oldestBeyond(others, bytes))
      await this.#box.remove(old.name);
  }
}

/** Those that have to go, so that one of this size has room. */
export const oldestBeyond = <T extends KeptFacts>(
  others: readonly T[],
  bytes: number,
): T[] => {
  let room = MAX_BYTES - bytes;
  return others
    .toSorted((a, b) => b.at - a.at)
    .filter((each, i) => {
      room -= each.bytes;
      return room < 0 || i >= MAX_DRAFTS - 1;
    });
};

const sizeOf = ({ attachments }: Kept): number =>
  attachments.reduce(
    (sum, { block }) =>
      sum +
      (block.type === "image"
        ? block.data.length
        : block.type === "resource_link"
          ? block.uri.length
          : block.text.length),
    0,
  );

/** Whether this is what was written here. Another release may have written something else. */
const isKept = (value: unknown): value is Kept =>
  isRecord(value) &&
  Array.isArray(value["attachments"]) &&
  value["attachments"].every(isAttachment) &&
  areTexts(value["files"]) &&
  (value["attempt"] === null || isAttempt(value["attempt"]));

const isAttachment = (value: unknown): boolean =>
  hasTexts(value, "id", "name", "size") && isBlock(value["block"]);

const isAttempt = (value: unknown): boolean =>
  hasTexts(value, "text", "key") && areTexts(value["ids"]);

const isBlock = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "text":
      return hasTexts(value, "text");
    case "image":
      return hasTexts(value, "mime_type", "data");
    case "resource_link":
      return hasTexts(value, "uri", "name");
    case "resource":
      return hasTexts(value, "uri", "text");
    default:
      return false;
  }
};

const hasTexts = (
  value: unknown,
  ...names: readonly string[]
): value is Record<string, unknown> =>
  isRecord(value) && names.every((name) => typeof value[name] === "string");

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
