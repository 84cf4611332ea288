import type { Stats } from "node:fs";
import type { Arena } from "../trees/arena.ts";
import { join, toText, type ByteString } from "../format/byte-string.ts";
import type { DraftKind } from "../files/draft-name.ts";
import type { UnsavedReason } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { listNames } from "../files/list-names.ts";
import {
  stat,
  statExactly,
  targetOf,
  xattrsOf,
  type Look,
} from "../files/look.ts";
import type { Mounts } from "../files/mounts.ts";
import type { Policy } from "./policy.ts";
import {
  isSame,
  isSettled,
  noteRace,
  noteRepeat,
  remember,
  type ScanClock,
  wasNow,
} from "../read/remember.ts";

/** Where a scan puts files whose content has to be read. */
export interface FoundFiles {
  add(row: number, path: ByteString, now: Stats): void;
  /** Whether those who read them wait for a pause. */
  readonly isPauseDue: boolean;
  pause(): Promise<void>;
}

export interface ScanOptions {
  root: ByteString;
  arena: Arena;
  policy: Policy;
  /** Whether the arena was made under the same policy. */
  samePolicy: boolean;
  /** Keeps the newest time up to date. */
  clock: ScanClock;
  isAborted: () => boolean;
  /** Of all files together. */
  maxBytes: number;
  /** What is mounted in the workspace is left out. */
  mounts: Mounts;
  /** Names of what restores make until it is whole: nobody's files. */
  draftKind: DraftKind;
  found: FoundFiles;
}

/**
 * Brings an arena up to date with a directory, but for the content of files. A directory whose times did not change
 * has the names it had, so most of the work is one look at each of them.
 */
export class Scan {
  /** Directories whose tree has to be made anew. Those above them are not among them. */
  readonly directories = new Set<number>();
  /** Files with several names, wherever the others are. */
  readonly linked: number[] = [];
  /** What a restore left that was cut off. */
  readonly drafts: ByteString[] = [];
  /** Whether anything in the arena is new. */
  touched = false;
  #bytes = 0;
  readonly #options: ScanOptions;
  readonly #arena: Arena;
  readonly #waiting: Waiting[] = [];

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#arena = options.arena;
  }

  async run(): Promise<void> {
    const { found, isAborted } = this.#options;
    this.#begin();
    for (;;) {
      const next = this.#waiting.pop();
      if (next === undefined || isAborted()) return;
      this.#visit(next);
      if (found.isPauseDue) await found.pause();
    }
  }

  #begin(): void {
    const { root } = this.#options;
    const arena = this.#arena;
    const now = this.#stat(root);
    const exact = statExactly(root);
    if (typeof now === "string" || typeof exact === "string")
      throw new VaultFailure(
        now === "unreadable" ? "not_permitted" : "not_found",
        `${root} cannot be read`,
      );
    if (!exact.isDirectory())
      throw new VaultFailure("not_found", `${root} is not a directory`);
    if (arena.count === 0) arena.names[arena.add(1)] = "";
    const isRepeat = isSame(arena, 0, now);
    const listed = isRepeat && this.#isListed(0);
    if (!listed) {
      this.touched = true;
      arena.setListed(0, false);
      remember(arena, 0, exact);
    }
    this.#waiting.push({ row: 0, path: "", listed, isRepeat });
  }

  #visit({ row, path, listed, isRepeat }: Waiting): void {
    const arena = this.#arena;
    if (!listed && !this.#list(row, path, isRepeat)) return;
    if (!arena.isKnown(row)) this.directories.add(row);
    const prefix = path === "" ? "" : `${path}/`;
    const first = arena.first[row] ?? 0;
    const end = first + (arena.children[row] ?? 0);
    for (let child = first; child < end; child++) {
      if (this.#options.isAborted()) {
        // What was not looked at may be something that is left out.
        arena.setListed(row, false);
        return;
      }
      const name = arena.names[child] ?? "";
      const reason = listed
        ? askedReason(arena.reason(child))
        : this.#reason(path, name);
      if (reason === null) this.#look(child, prefix + name);
      else this.#leaveOut(child, reason);
    }
  }

  /** Finds the names of a directory, and keeps what is known of those that stay. False when it cannot be read. */
  #list(row: number, path: ByteString, isRepeat: boolean): boolean {
    const arena = this.#arena;
    const { root, clock } = this.#options;
    const ctime = arena.ctime[row] ?? 0;
    const directory = join(root, path);
    const read = listNames(directory, ctime, (time) => wasNow(time, clock));
    if (typeof read === "string") {
      if (row === 0)
        throw new VaultFailure("not_permitted", "the root cannot be listed");
      this.#leaveOut(row, read);
      return false;
    }
    const { draftKind } = this.#options;
    const names = read.filter((name) => draftKind(name) === null);
    if (names.length < read.length)
      for (const name of read)
        if (draftKind(name) === "file") this.drafts.push(join(path, name));
    if (arena.setChildren(row, names)) this.directories.add(row);
    if (arena.setXattrs(row, xattrsOf(directory))) this.#parentChanged(row);
    this.touched = true;
    arena.setListed(row, true);
    this.#note(row, isRepeat);
    return true;
  }

  #look(row: number, path: ByteString): void {
    const arena = this.#arena;
    const now = this.#stat(join(this.#options.root, path));
    if (typeof now === "string") this.#leaveOut(row, now);
    else if (this.#isMounted(path, now)) this.#leaveOut(row, "mounted");
    else if (now.isFile()) this.#lookAtFile(row, path, now);
    else if (arena.reason(row) !== null || !isSame(arena, row, now))
      this.#lookClosely(row, path, false);
    else if (now.isDirectory()) {
      const listed = this.#isListed(row);
      this.#waiting.push({ row, path, listed, isRepeat: true });
    } else if (!isSettled(arena, row, this.#options.clock))
      this.#lookClosely(row, path, true);
  }

  #lookAtFile(row: number, path: ByteString, now: Stats): void {
    const arena = this.#arena;
    if (now.size > this.#options.policy.maxFileBytes) {
      this.#leaveOut(row, "too_large");
      return;
    }
    this.#bytes += now.size;
    if (this.#bytes > this.#options.maxBytes) throw this.#tooLarge();
    if (now.nlink > 1) this.linked.push(row);
    else if (arena.group[row] !== 0n) {
      arena.group[row] = 0n;
      this.#parentChanged(row);
    }
    const isClean =
      arena.isKnown(row) &&
      arena.reason(row) === null &&
      isSettled(arena, row, this.#options.clock);
    if (isClean && isSame(arena, row, now)) return;
    this.#options.found.add(row, path, now);
  }

  /** At anything but a file. */
  #lookClosely(row: number, path: ByteString, isRepeat: boolean): void {
    const arena = this.#arena;
    const full = join(this.#options.root, path);
    const now = statExactly(full);
    if (typeof now === "string") {
      this.#leaveOut(row, now);
      return;
    }
    const target = now.isSymbolicLink() ? targetOf(full) : null;
    if (target === null) arena.targets.delete(row);
    else if (target === "gone" || target === "unreadable") {
      this.#leaveOut(row, target);
      return;
    } else arena.targets.set(row, target);
    const wasDirectory = ((arena.mode[row] ?? 0) & TYPE) === DIRECTORY;
    if (!now.isDirectory() || !wasDirectory) {
      arena.children[row] = 0;
      arena.forget(row);
    }
    arena.setReason(row, null);
    // We may be called off before its names are read: then they are not known, whatever its times say.
    arena.setListed(row, false);
    remember(arena, row, now);
    if (!now.isDirectory())
      arena.setXattrs(row, now.isFIFO() ? xattrsOf(full) : "");
    this.#note(row, isRepeat);
    this.#parentChanged(row);
    if (now.isDirectory())
      this.#waiting.push({ row, path, listed: false, isRepeat });
  }

  /** Of something that was read now. */
  #note(row: number, isRepeat: boolean): void {
    const { clock } = this.#options;
    noteRace(this.#arena, row, clock);
    if (isRepeat) noteRepeat(this.#arena, row, clock);
  }

  #stat(path: ByteString): Look<Stats> {
    const { clock } = this.#options;
    const now = stat(path);
    if (typeof now !== "string" && now.ctimeMs > clock.newest)
      clock.newest = now.ctimeMs;
    return now;
  }

  #isListed(row: number): boolean {
    const arena = this.#arena;
    const { samePolicy, clock } = this.#options;
    return samePolicy && arena.isListed(row) && isSettled(arena, row, clock);
  }

  #reason(directory: ByteString, name: ByteString): UnsavedReason | null {
    const { policy, root } = this.#options;
    return policy.reason(directory, name, () => {
      const now = stat(join(root, join(directory, name)));
      return typeof now !== "string" && now.isDirectory();
    });
  }

  /** Where the system does not list its mounts, they are known by their device. */
  #isMounted(path: ByteString, now: Stats): boolean {
    const { mounts } = this.#options;
    return mounts === null
      ? now.isDirectory() && now.dev !== this.#arena.dev[0]
      : mounts.size > 0 && mounts.has(path);
  }

  #leaveOut(row: number, reason: UnsavedReason | "gone"): void {
    const arena = this.#arena;
    if (arena.reason(row) === reason) return;
    arena.setReason(row, reason);
    arena.mode[row] = 0;
    arena.children[row] = 0;
    arena.setXattrs(row, "");
    arena.forget(row);
    this.#parentChanged(row);
  }

  #tooLarge(): VaultFailure {
    const { root, maxBytes } = this.#options;
    return new VaultFailure(
      "too_large",
      `${toText(root)} holds more than ${maxBytes / 1024 ** 3} GiB: name what can be left out in a file .repriseignore there`,
    );
  }

  #parentChanged(row: number): void {
    this.touched = true;
    this.directories.add(this.#arena.parent[row] ?? 0);
  }
}

interface Waiting {
  row: number;
  path: ByteString;
  /** Whether its names are known. */
  listed: boolean;
  /** Whether it has the times that it had when it was last seen. */
  isRepeat: boolean;
}

const TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** Only what somebody asked for stays left out without a look. */
const askedReason = (
  reason: UnsavedReason | "gone" | null,
): UnsavedReason | null =>
  reason === "ignored" || reason === "asked" ? reason : null;
