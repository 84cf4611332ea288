import type { Changes } from "../contract/session/changes.ts";
import { resolve } from "node:path";
import { type Begun, Lanes } from "../kit/time/lanes.ts";
import type { CallName, Calls } from "./workers/calls.ts";
import type { ByteString } from "./format/byte-string.ts";
import type { Change } from "./trees/change.ts";
import type { WorkerPool } from "./workers/worker-pool.ts";
import type { RestoreNotes, Write } from "./files/restore-notes.ts";
import type { Exported, Member } from "./archive/export.ts";
import type { Generation } from "./upkeep/generation.ts";
import type { Hash } from "./format/hash.ts";
import type { Imported } from "./archive/import.ts";
import type { ImportedTrees } from "./upkeep/imported-trees.ts";
import { IMPORT_LIMITS, type ImportLimits } from "./archive/import-limits.ts";
import type { Listed } from "./trees/list.ts";
import type { Pruned } from "./upkeep/prune.ts";
import type { RestorePlan } from "./restore/restore-plan.ts";
import type { Restored } from "./restore/restore.ts";
import type { Saved } from "./capture/save.ts";
import type { NamedFile } from "./capture/save-files.ts";
import { prune, verifyAll, type PruneToken, type Upkeep } from "./upkeep.ts";
import type { Usage } from "./upkeep/usage.ts";
import type { VerifiedVault } from "./upkeep/verify-vault.ts";
import type { Verified } from "./upkeep/verify.ts";

/** A workspace, and what of it is not captured. */
export interface Workspace {
  root: string;
  /** Absolute paths. */
  leaveOut?: readonly string[];
  /** Under which what is known of the workspace is kept; null to keep nothing. */
  cacheKey: string | null;
  limits?: {
    maxFileBytes?: number;
    /** Of all files together; for a save alone. */
    maxBytes?: number;
  };
  signal?: AbortSignal;
}

export interface RestoreRequest extends Omit<Workspace, "root"> {
  tree: Hash;
  into: string;
  /** These paths and what is beneath them. */
  only?: readonly string[];
  /** These paths and what is beneath them stay as they are. */
  except?: readonly string[];
  /** Leaves alone whatever is there. */
  createOnly?: boolean;
  /** A checkpoint that should have whatever is undone: the plan says what it does not have. */
  captured?: Hash;
}

const GIBIBYTE = 1024 ** 3;
/** Larger files are left out, visibly. */
export const MAX_FILE_BYTES = 2 * GIBIBYTE;
/** A directory that holds more is hardly meant: somebody's home, a disk. */
const MAX_BYTES = 16 * GIBIBYTE;
const MAX_READ_BYTES = 16 * 1024 * 1024;

/** Where checkpoints are kept. All work is done by threads. */
export class Vault {
  readonly #pool: WorkerPool;
  readonly #generation: Generation;
  readonly #upkeep: Upkeep;
  readonly #imported: ImportedTrees;
  readonly #restores: RestoreNotes;
  readonly #lanes = new Lanes();

  constructor(parts: Upkeep, restores: RestoreNotes) {
    this.#pool = parts.pool;
    this.#generation = parts.generation;
    this.#upkeep = parts;
    this.#imported = parts.imported;
    this.#restores = restores;
  }

  /**
   * Captures a workspace. Resolves when the checkpoint is durable. Where others need the processors it has one thread,
   * which gives way to them for `giveWayMs`.
   */
  save(workspace: Workspace & { giveWayMs?: number }): Promise<Saved> {
    const maxBytes = workspace.limits?.maxBytes ?? MAX_BYTES;
    const giveWayMs = workspace.giveWayMs ?? 0;
    const request = { ...asked(workspace), maxBytes, giveWayMs };
    return this.#generation.save(
      ({ tree }) => [tree],
      (generation) =>
        this.#alone(workspace.cacheKey, () =>
          this.#pool.call("save", { ...request, generation }, workspace.signal),
        ),
    );
  }

  /** Files from anywhere as a small checkpoint of their own. One that is missing is a failure: `not_found`. */
  saveFiles(files: readonly NamedFile[], signal?: AbortSignal): Promise<Hash> {
    return this.#generation.save(
      (tree) => [tree],
      () => this.#pool.call("saveFiles", { files }, signal).answer,
    );
  }

  /** What became of every path from one checkpoint to another; null is an empty one. */
  diff(before: Hash | null, after: Hash | null): Promise<Change[]> {
    return this.#read("diff", { before, after });
  }

  /** How many files and lines changed from one checkpoint to another. */
  count(before: Hash, after: Hash): Promise<Changes> {
    return this.#read("count", { before, after });
  }

  /** Where nobody knows what became of a path, because something was mounted there in one of them. */
  gaps(before: Hash | null, after: Hash | null): Promise<string[]> {
    return this.#read("gaps", { before, after });
  }

  /**
   * What became of every path from a checkpoint to what is there now. A file that changes while it is read is no
   * difference, because nobody knows what it is; where something is to be `proven` it is the failure `changed`.
   */
  compare(
    tree: Hash,
    workspace: Workspace & { proven?: boolean },
  ): Promise<Change[]> {
    const proven = workspace.proven ?? false;
    const isImported = this.#imported.has(tree);
    const request = { ...asked(workspace), tree, isImported, proven };
    return this.#generation.read((generation) =>
      this.#alone(workspace.cacheKey, () =>
        this.#pool.call(
          "compare",
          { ...request, generation },
          workspace.signal,
        ),
      ),
    );
  }

  /** The content of one file of a checkpoint. */
  read(
    tree: Hash,
    path: string,
    maxBytes = MAX_READ_BYTES,
  ): Promise<Uint8Array> {
    return this.#read("read", { tree, path, maxBytes });
  }

  list(tree: Hash): Promise<Listed[]> {
    return this.#read("list", { tree });
  }

  /** What a restore would do. Nothing is touched. */
  planRestore(request: RestoreRequest): Promise<RestorePlan> {
    const { tree, into: root, signal, cacheKey } = request;
    const { only = null, captured = null, createOnly = false } = request;
    const { except = [] } = request;
    const isImported = this.#imported.has(tree);
    const wish = { tree, isImported, only, except, captured, createOnly };
    const order = { ...asked({ ...request, root }), ...wish };
    return this.#generation.read((generation) =>
      this.#alone(cacheKey, () =>
        this.#pool.call("plan", { ...order, generation }, signal),
      ),
    );
  }

  /** Does what was planned, if the place is still what it was: `changed` otherwise. */
  async restore(plan: RestorePlan, signal?: AbortSignal): Promise<Restored> {
    const { into, sealed } = plan;
    const restoreId = plan.fresh ? null : await this.#restores.begin(into);
    const restored = await this.#read("restore", { sealed, restoreId }, signal);
    if (!plan.createOnly) await this.#restores.endAll(into);
    else if (restoreId !== null) await this.#restores.end(restoreId);
    return restored;
  }

  /** Where a directory is made that shall be at this path, so that nobody takes it for his own. */
  draftDirectory(path: string): Promise<string> {
    return this.#restores.directoryFor(resolve(path));
  }

  /** It has its place, or is gone. */
  endDraftDirectory(path: string): Promise<void> {
    return this.#restores.endDirectory(resolve(path));
  }

  /** Names a file that is made in a directory of a workspace: until it is over, no checkpoint holds it. */
  beginWrite(directory: ByteString): Promise<Write> {
    return this.#restores.beginWrite(directory);
  }

  /** It has its place, or is gone. */
  endWrite(id: string): Promise<void> {
    return this.#restores.end(id);
  }

  /** Resolves when what was restored into a directory is on its disk, whatever happens to the machine. */
  async flush(directory: string): Promise<void> {
    await this.#read("flush", { directory: resolve(directory) });
  }

  /** Reads everything that a checkpoint needs. */
  verify(tree: Hash): Promise<Verified> {
    return this.#read("verify", { tree });
  }

  /**
   * Reads everything that is stored, and says which of these checkpoints are not whole. What is damaged is not relied on
   * any more, unless that is not wanted (`dryRun`). It may take hours, and nobody waits for it.
   */
  verifyAll(
    trees: readonly Hash[],
    { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal },
  ): Promise<VerifiedVault> {
    return verifyAll(this.#upkeep, trees, dryRun, signal);
  }

  /** How much each set of checkpoints needs, and all together. */
  usage(sets: readonly (readonly Hash[])[]): Promise<Usage> {
    return this.#read("usage", { sets });
  }

  /** Checkpoints, and named bytes besides, in one file. */
  exportTo(
    file: string,
    roots: readonly Hash[],
    members: readonly Member[],
    signal?: AbortSignal,
  ): Promise<Exported> {
    const order = { file: resolve(file), roots, members };
    return this.#read("exportTo", order, signal);
  }

  /** Takes in what `exportTo` wrote, after checking all of it. */
  importFrom(
    file: string,
    limits: Partial<ImportLimits> = {},
    signal?: AbortSignal,
  ): Promise<Imported> {
    const order = { ...archive(file, limits), keep: true };
    return this.#generation.save(
      ({ roots }) => roots,
      async () => {
        const taken = await this.#pool.call("importFrom", order, signal).answer;
        await this.#imported.add(taken.roots);
        return taken;
      },
    );
  }

  /** Checks all of what `exportTo` wrote, and keeps nothing of it. */
  checkArchive(
    file: string,
    limits: Partial<ImportLimits> = {},
    signal?: AbortSignal,
  ): Promise<Imported> {
    const order = { ...archive(file, limits), keep: false };
    return this.#read("importFrom", order, signal);
  }

  /** Everything that is saved from now on outlives the prune. Ask which checkpoints are needed only after this. */
  beginPrune(): PruneToken {
    return { saved: this.#generation.watch() };
  }

  /** Whoever began does not come back: nothing is held for it any more. */
  cancelPrune({ saved }: PruneToken): void {
    this.#generation.unwatch(saved);
  }

  /** Removes what none of these checkpoints needs, nor any that was saved since the token. */
  prune(
    token: PruneToken,
    roots: readonly Hash[],
    { dryRun }: { dryRun: boolean },
  ): Promise<Pruned> {
    return prune(this.#upkeep, token, roots, dryRun);
  }

  /** Resolves when nothing is being done. */
  drain(): Promise<void> {
    return this.#pool.drain();
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#generation.settled();
  }

  /** Work on one workspace never overlaps: it shares a stat cache. A thread may be busy for longer than its answer takes. */
  #alone<T>(cacheKey: string | null, call: () => Begun<T>): Promise<T> {
    return cacheKey === null
      ? call().answer
      : this.#lanes.begin(cacheKey, call);
  }

  #read<K extends CallName>(
    call: K,
    asked: Calls[K]["query"],
    signal?: AbortSignal,
  ): Promise<Calls[K]["answer"]> {
    return this.#generation.read(
      () => this.#pool.call(call, asked, signal).answer,
    );
  }
}

const archive = (file: string, limits: Partial<ImportLimits>) => ({
  file: resolve(file),
  limits: { ...IMPORT_LIMITS, ...limits },
});

const asked = ({ root, leaveOut, limits, cacheKey }: Workspace) => ({
  root: resolve(root),
  leaveOut: (leaveOut ?? []).map((path) => resolve(path)),
  maxFileBytes: limits?.maxFileBytes ?? MAX_FILE_BYTES,
  cacheKey,
});
