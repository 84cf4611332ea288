/**
 * How a file can change while its times stay as they are: through a mapping or a handle that is open, or within the
 * tick of a clock. docs/decisions/file-times.md has the facts.
 */
import type { ByteString } from "../format/byte-string.ts";
import { join } from "../format/byte-string.ts";
import { isOnDisk } from "../files/device.ts";
import { flushPages, leasesTellMappings, writersOf } from "./leases.ts";
import { stat, type OpenFile } from "../files/look.ts";
import { Mappings } from "./mappings.ts";
import { wasNow } from "./remember.ts";

/** Asked of each file before it is read. */
export interface Doubts {
  /** Whether somebody has it open for writing. */
  isOpen(file: OpenFile, path: ByteString): boolean;
  /** Whether it changed a moment ago. Times in milliseconds. */
  isYoung(times: { mtimeMs: number; ctimeMs: number }): boolean;
}

/** The doubts of one capture. What is mapped after it began is young, so it is enough to look at mappings once. */
export class UnseenChanges implements Doubts {
  readonly #root: ByteString;
  readonly #startedAt: number;
  #areLeasesEnough: boolean | null = null;
  #mappings: Mappings | null = null;

  constructor(root: ByteString, startedAt: number) {
    this.#root = root;
    this.#startedAt = startedAt;
  }

  isOpen(file: OpenFile, path: ByteString): boolean {
    const writers = writersOf(file.descriptor);
    // From here on, stores to a mapped page of a file on a disk set its times.
    if (writers !== "none") flushPages(file.descriptor);
    if (writers === "some") return true;
    if (writers === "none" && this.#doLeasesTellAll()) return false;
    this.#mappings ??= Mappings.take();
    return this.#mappings.has(join(this.#root, path), file.stat());
  }

  isYoung({ mtimeMs, ctimeMs }: { mtimeMs: number; ctimeMs: number }): boolean {
    const clock = { startedAt: this.#startedAt, now: Date.now };
    return wasNow(Math.max(mtimeMs, ctimeMs), clock);
  }

  /** A file system on a disk is not stacked on another one. */
  #doLeasesTellAll(): boolean {
    if (this.#areLeasesEnough === null) {
      const now = stat(this.#root);
      this.#areLeasesEnough =
        (typeof now !== "string" && isOnDisk(now.dev)) ||
        leasesTellMappings(this.#root);
    }
    return this.#areLeasesEnough;
  }
}
