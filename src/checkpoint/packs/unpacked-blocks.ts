import { decodeDoubtfulBody } from "../format/block.ts";
import type { Bytes } from "../bytes/bytes.ts";
import { readBlock } from "./pack.ts";

/** Blocks that were unpacked lately. */
const MAX_BLOCKS = 8;

/** The content of blocks. What is in it has yet to be compared with its hashes. */
export class UnpackedBlocks {
  readonly #bytes: Bytes;
  readonly #lately = new Map<string, Promise<Buffer>>();

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  /** For those who come back to it soon. */
  async read(pack: string, offset: number): Promise<Buffer> {
    const key = `${pack}:${offset}`;
    const known = this.#lately.get(key);
    if (known !== undefined) return known;
    for (const [oldest] of this.#lately) {
      if (this.#lately.size < MAX_BLOCKS) break;
      this.#lately.delete(oldest);
    }
    const raw = this.readOnce(pack, offset);
    this.#lately.set(key, raw);
    try {
      return await raw;
    } catch (error) {
      this.#lately.delete(key);
      throw error;
    }
  }

  /** For those who need it once. */
  async readOnce(pack: string, offset: number): Promise<Buffer> {
    const { header, body } = await readBlock(this.#bytes, pack, offset);
    return decodeDoubtfulBody(header, body);
  }

  clear(): void {
    this.#lately.clear();
  }
}
