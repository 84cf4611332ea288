/**
 * What is attached to drafts, kept over a reload. It is too large for where texts are kept, so it has a place of its own; the
 * oldest go when there is too much.
 */
import * as z from "zod";
import { ContentBlock } from "../../../src/contract/base/content.ts";

const Attachment = z.object({
  id: z.string(),
  name: z.string(),
  block: ContentBlock,
  size: z.string(),
});

const Kept = z.object({
  attachments: z.array(Attachment),
  /** Files of the workspace that were taken into the text. */
  files: z.array(z.string()),
  /** The key under which this was last sent. */
  attempt: z
    .object({ text: z.string(), ids: z.array(z.string()), key: z.string() })
    .nullable(),
});
export type Kept = z.infer<typeof Kept>;
export const NOTHING_KEPT: Kept = { attachments: [], files: [], attempt: null };

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
    return Kept.safeParse(found).data ?? NOTHING_KEPT;
  }

  async write(name: string, kept: Kept): Promise<void> {
    if (kept.attachments.length === 0 && kept.files.length === 0)
      return this.remove(name);
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
