import { join, resolve } from "node:path";
import { DAMAGE_FILE } from "../contract/damage.ts";
import { sweepDrafts } from "../kit/durable-file.ts";
import { makeDirectory } from "../kit/make-directory.ts";
import { FolderBytes } from "./bytes/folder.ts";
import type { Calls } from "./calls.ts";
import { Crew } from "./crew.ts";
import { DamageRecord } from "./damage/damage-record.ts";
import { RestoreNotes } from "./drafts/restore-notes.ts";
import { onOwnFiles } from "./failure.ts";
import { Generation } from "./generation.ts";
import { ImportedTrees } from "./imported-trees.ts";
import { removeLocal, sweepLocal } from "./local-file.ts";
import { indexOf, lostPacks } from "./lost-packs.ts";
import { Thread } from "./thread.ts";
import type { Listener } from "./thread-messages.ts";
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
  const hire = (): Thread<Calls> => new Thread(place, listener);
  const crew = new Crew(hire, options.threads ?? 2, warn);
  const imported = await ImportedTrees.open(join(folder, "imported"));
  return new Vault({ crew, generation, record, imported }, restores);
};
