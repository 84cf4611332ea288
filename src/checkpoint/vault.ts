import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FolderBytes } from "./bytes/folder.ts";
import { Crew, type Called } from "./crew.ts";
import { Generation } from "./generation.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import type { Listed } from "./list.ts";
import type { Restored } from "./restore.ts";
import type { Saved } from "./save.ts";
import type { NamedFile } from "./save-files.ts";
import { toChange, type Change } from "./change.ts";
import type { RestorePlan } from "./restore-plan.ts";
import type { Verified } from "./verify.ts";

export interface VaultOptions {
  /** Where the packs are. */
  folder: string;
  /** Where what this machine can make anew is: stat caches and indexes. */
  cache: string;
  /** How many threads work at once. */
  threads?: number;
  /** Hears of damage that was passed over. */
  log?: (warning: string) => void;
}

/** A workspace, and what of it is not captured. */
export interface Workspace {
  root: string;
  /** Absolute paths. */
  leaveOut?: readonly string[];
  /** Under which what is known of the workspace is kept; null to keep nothing. */
  cacheKey: string | null;
  limits?: { mostFileBytes?: number };
  signal?: AbortSignal;
}

const GIBIBYTE = 1024 ** 3;
/** Larger files are left out, visibly. */
export const MOST_FILE_BYTES = 2 * GIBIBYTE;
const MOST_READ_BYTES = 16 * 1024 * 1024;

/** Opens a vault for this process alone: see `generation.ts` for what it keeps to itself. */
export const openVault = async (options: VaultOptions): Promise<Vault> => {
  const packs = join(resolve(options.folder), "packs");
  const cache = resolve(options.cache);
  await mkdir(packs, { recursive: true, mode: 0o700 });
  await mkdir(cache, { recursive: true, mode: 0o700 });
  new FolderBytes(packs).sweep();
  const generation = await Generation.open(options.folder);
  const warn = options.log ?? (() => {});
  return new Vault(
    new Crew({ packs, cache }, options.threads ?? 2, warn),
    generation,
  );
};

/** Where checkpoints are kept. All work is done by threads. */
export class Vault {
  readonly #crew: Crew;
  readonly #generation: Generation;
  /** Work on one workspace never overlaps: it shares a stat cache. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(crew: Crew, generation: Generation) {
    this.#crew = crew;
    this.#generation = generation;
  }

  /** Captures a workspace. Resolves when the checkpoint is durable. */
  save(workspace: Workspace): Promise<Saved> {
    return this.#generation.keep(
      ({ tree }) => tree,
      (generation) =>
        this.#inLane(workspace.cacheKey, () =>
          this.#crew.call(
            "save",
            { ...asked(workspace), generation },
            workspace.signal,
          ),
        ),
    );
  }

  /** Files from anywhere as a small checkpoint of their own. One that is missing is a failure: `not_found`. */
  saveFiles(files: readonly NamedFile[], signal?: AbortSignal): Promise<Hash> {
    return this.#generation.keep(
      (tree) => tree,
      () => this.#crew.call("saveFiles", { files }, signal).answer,
    );
  }

  /** What became of every path from one checkpoint to another; null is an empty one. */
  async diff(before: Hash | null, after: Hash | null): Promise<Change[]> {
    const found = await this.#crew.call("diff", { before, after }).answer;
    return found.map(toChange);
  }

  /** What became of every path from a checkpoint to what is there now. */
  async compare(tree: Hash, workspace: Workspace): Promise<Change[]> {
    const { signal, cacheKey } = workspace;
    const generation = this.#generation.now;
    const found = await this.#inLane(cacheKey, () =>
      this.#crew.call(
        "compare",
        { ...asked(workspace), generation, tree },
        signal,
      ),
    );
    return found.map(({ path, before, after }) =>
      toChange({ path, before: after, after: before }),
    );
  }

  /** The content of one file of a checkpoint. */
  read(
    tree: Hash,
    path: string,
    mostBytes = MOST_READ_BYTES,
  ): Promise<Uint8Array> {
    return this.#crew.call("read", { tree, path, mostBytes }).answer;
  }

  list(tree: Hash): Promise<Listed[]> {
    return this.#crew.call("list", { tree }).answer;
  }

  /** What a restore would do. Nothing is touched. */
  async planRestore(
    request: Omit<Workspace, "root"> & {
      tree: Hash;
      into: string;
      /** These paths and what is beneath them. */
      only?: readonly string[];
      /** Leaves alone whatever is there. */
      createOnly?: boolean;
    },
  ): Promise<RestorePlan> {
    const { tree, into, signal, cacheKey } = request;
    const workspace = asked({ ...request, root: into });
    const { fresh, steps, drafts } = await this.#inLane(cacheKey, () =>
      this.#crew.call(
        "plan",
        {
          ...workspace,
          generation: this.#generation.now,
          tree,
          only: request.only ?? null,
        },
        signal,
      ),
    );
    const wanted =
      request.createOnly === true
        ? steps.filter(({ before }) => before === null)
        : steps;
    return {
      tree,
      into: workspace.root,
      fresh,
      changes: wanted.map(toChange),
      kept: steps.filter((step) => !wanted.includes(step)).map(toChange),
      steps: wanted,
      drafts,
    };
  }

  /** Does what was planned, if the place is still what it was: `changed` otherwise. */
  restore(plan: RestorePlan, signal?: AbortSignal): Promise<Restored> {
    const { tree, into: root, fresh, steps, drafts } = plan;
    return this.#crew.call(
      "restore",
      { tree, root, fresh, steps, drafts },
      signal,
    ).answer;
  }

  /** Reads everything that a checkpoint needs. */
  verify(tree: Hash): Promise<Verified> {
    return this.#crew.call("verify", { tree }).answer;
  }

  /** Resolves when nothing is being done. */
  drain(): Promise<void> {
    return this.#crew.drain();
  }

  close(): Promise<void> {
    return this.#crew.close();
  }

  async #inLane<T>(key: string | null, work: () => Called<T>): Promise<T> {
    if (key === null) return work().answer;
    const before = this.#lanes.get(key);
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>();
    this.#lanes.set(key, mine);
    await before;
    const { answer, settled } = work();
    void settled.then(() => {
      leave();
      if (this.#lanes.get(key) === mine) this.#lanes.delete(key);
    });
    return answer;
  }
}

const asked = ({ root, leaveOut, limits, cacheKey }: Workspace) => ({
  root: resolve(root),
  leaveOut: (leaveOut ?? []).map((path) => resolve(path)),
  mostFileBytes: limits?.mostFileBytes ?? MOST_FILE_BYTES,
  cacheKey,
});

export { VaultFailure };
