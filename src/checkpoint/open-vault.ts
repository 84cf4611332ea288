import { WORKER } from "./workers/programs.ts";
import { join, resolve } from "node:path";
import { DAMAGE_FILE } from "../contract/session/damage.ts";
import { sweepDrafts } from "../kit/files/durable-file.ts";
import { makeDirectory } from "../kit/files/make-directory.ts";
import { FolderBytes } from "./bytes/folder.ts";
import type { Calls } from "./workers/calls.ts";
import { WorkerPool } from "./workers/worker-pool.ts";
import { DamageRecord } from "./upkeep/damage-record.ts";
import { RestoreNotes } from "./files/restore-notes.ts";
import { onOwnFiles } from "./format/failure.ts";
import { Generation } from "./upkeep/generation.ts";
import { ImportedTrees } from "./upkeep/imported-trees.ts";
import { removeLocal, sweepLocal } from "./files/local-file.ts";
import { indexOf, lostPacks } from "./packs/lost-packs.ts";
import { Thread } from "./threads/thread.ts";
import type { Listener } from "./threads/thread-messages.ts";
import { Vault } from "./vault.ts";

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

/** Opens a vault for this process alone: see `generation.ts` for what it keeps to itself. */
export const openVault = (options: VaultOptions): Promise<Vault> =>
  onOwnFiles(open(options));

const open = async (options: VaultOptions): Promise<Vault> => {
  const folder = resolve(options.folder);
  const packs = join(folder, "packs");
  const cache = resolve(options.cache);
  const indexes = join(cache, "index");
  // One by one: a home that was moved away is not made anew.
  for (const each of [folder, packs, cache]) await makeDirectory(each);
  new FolderBytes(packs).sweep();
  for (const each of [indexes, join(cache, "workspaces")]) sweepLocal(each);
  for (const name of ["generation", DAMAGE_FILE])
    await sweepDrafts(join(folder, name));
  const warn = options.log ?? (() => {});
  const generation = await Generation.open(folder);
  const record = new DamageRecord(folder, generation, warn);
  const lost = await lostPacks(indexes, packs);
  if (lost.length > 0) await generation.distrust(async () => {});
  await record.note(lost.map((pack) => ({ kind: "lost", pack })));
  for (const pack of lost) removeLocal(indexOf(indexes, pack));
  const restores = await RestoreNotes.open(join(folder, "restores"), warn);
  await restores.sweepWrites();
  const place = {
    packs,
    cache,
    damage: record.path,
    restores: restores.folder,
  };
  const listener: Listener = {
    warn,
    damaged: (found) => void record.note(found),
  };
  const startThread = (): Thread<Calls> => new Thread(WORKER, place, listener);
  const pool = new WorkerPool(startThread, options.threads ?? 2, warn);
  const imported = await ImportedTrees.open(join(folder, "imported"));
  return new Vault({ pool, generation, record, imported }, restores);
};
