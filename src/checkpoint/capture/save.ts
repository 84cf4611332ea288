import { uptime } from "node:os";
import { performance } from "node:perf_hooks";
import { Arena } from "../trees/arena.ts";
import { Trees } from "./build-trees.ts";
import { fromText, type ByteString } from "../format/byte-string.ts";
import { Contents } from "./contents.ts";
import type { DraftKind } from "../files/draft-name.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import { elapsedSince, wasSetBack, type Instant } from "../read/settled.ts";
import type { SideWorkers } from "../threads/side-workers.ts";
import { groupLinks } from "./link-groups.ts";
import { mountsWithin, sameMounts } from "../files/mounts.ts";
import type { Objects } from "../packs/objects.ts";
import { PackWriter } from "../packs/pack-writer.ts";
import { policyOf } from "./policy.ts";
import { confirmStored } from "./confirm-stored.ts";
import { Readers } from "../threads/readers.ts";
import type { ScanClock } from "../read/remember.ts";
import { Scan, type ScanOptions } from "./scan.ts";
import type { Sink } from "../packs/sink.ts";
import {
  readStatCache,
  writeStatCache,
  type Provenance,
  type StatCache,
} from "./stat-cache.ts";
import { summary, type Summary } from "./summary.ts";

export interface SaveRequest {
  root: string;
  /** Absolute paths that are not captured. */
  leaveOut: readonly string[];
  maxFileBytes: number;
  /** Of all files together. A larger workspace is a failure: `too_large`. */
  maxBytes?: number;
  /** Without side workers, and giving way to others for so long. */
  giveWayMs?: number;
}

export interface Saved extends Summary {
  /** By which the checkpoint is found again. */
  tree: Hash;
  /** What this one added to the vault. */
  new_bytes: number;
  took_ms: number;
}

/** What the thread gives to whoever looks through a workspace. */
export interface Surroundings {
  objects: Objects;
  /** The file of the workspace's stat cache; null for none. */
  cache: string | null;
  generation: string;
  isAborted: () => boolean;
  /** Threads for what is much. */
  sideWorkers: SideWorkers;
  /** Names of what restores make until it is whole. */
  draftKind: DraftKind;
}

export const save = async (
  request: SaveRequest,
  around: Surroundings,
): Promise<Saved> => {
  const began = performance.now();
  const readers = new Readers(around.sideWorkers);
  const writer = new PackWriter(around.objects, readers);
  try {
    const { arena, tree, remember } = await capture(
      request,
      around,
      writer,
      readers,
    );
    const [others] = await Promise.all([readers.finish(), writer.finish()]);
    remember();
    if (tree === null)
      throw new VaultFailure("aborted", "the checkpoint was called off");
    return {
      tree,
      ...summary(arena),
      new_bytes: writer.newBytes + others,
      took_ms: Math.round(performance.now() - began),
    };
  } catch (error) {
    await Promise.all([readers.discard(), writer.discard()]);
    throw error;
  } finally {
    await readers.close();
  }
};

export interface Capture {
  arena: Arena;
  /** Null when it was called off. */
  tree: Hash | null;
  /** What a restore left that was cut off. */
  drafts: ByteString[];
  /** Keeps what was learnt, once the sink has kept what it was given. */
  remember: () => void;
}

/** Something may be mounted or unmounted in the workspace meanwhile: then it is looked through again, so often at most. */
const TRIES = 3;

/** Looks through a workspace and gives what is new to the sink. */
export const capture = async (
  request: SaveRequest,
  { objects, cache, generation, isAborted, draftKind }: Surroundings,
  sink: Sink,
  readers: Readers | null,
): Promise<Capture> => {
  const started = instant();
  const root: ByteString = fromText(request.root);
  const policy = policyOf(root, {
    leaveOut: request.leaveOut.map(fromText),
    maxFileBytes: request.maxFileBytes,
  });
  const { arena, made } = knownOf(cache, root);
  const isConfirmed = made?.generation === generation;
  if (!isConfirmed) {
    await objects.refresh();
    await confirmStored(arena, objects);
  }
  const clock = clockOf(made, started);
  const maxBytes = request.maxBytes ?? Infinity;
  const shared = {
    root,
    arena,
    policy,
    clock,
    isAborted,
    maxBytes,
    draftKind,
  };
  let samePolicy = made?.policy === policy.digest;
  let tree = isConfirmed ? made.tree : "";
  let isNew = false;
  for (let left = TRIES; left > 0; left--) {
    const mounts = mountsWithin(root);
    const options = { ...shared, samePolicy, mounts };
    const pass = await lookThrough(options, tree, objects, sink, readers);
    isNew ||= pass.isNew;
    ({ tree } = pass);
    const isOver = isAborted() || sameMounts(mounts, mountsWithin(root));
    // A scan that was cut short has not applied a new policy everywhere.
    samePolicy ||= tree !== "";
    if (!isOver) continue;
    const remember = (): void => {
      if (cache === null || !isNew) return;
      const applied = samePolicy ? policy.digest : "";
      const seen = { endedAt: instant(), newest: clock.newest };
      const made = { root, policy: applied, generation, tree, ...seen };
      writeStatCache(cache, arena, made);
    };
    const { drafts } = pass;
    return { arena, tree: tree === "" ? null : tree, drafts, remember };
  }
  throw new VaultFailure(
    "changed",
    `things are mounted and unmounted in ${request.root} all the time`,
  );
};

interface Pass {
  /** Empty when it was called off. */
  tree: Hash;
  drafts: ByteString[];
  /** Whether anything was learnt that the next scan should know. */
  isNew: boolean;
}

/** `known` is the tree of the arena as it is, or empty. */
const lookThrough = async (
  options: Omit<ScanOptions, "found">,
  known: Hash,
  objects: Objects,
  sink: Sink,
  readers: Readers | null,
): Promise<Pass> => {
  const { arena, isAborted } = options;
  const trees = new Trees(arena, sink, isAborted);
  const contents = new Contents({ ...options, sink, trees, readers });
  const scan = new Scan({ ...options, found: contents });
  await scan.run();
  const { drafts } = scan;
  const isQuiet = !scan.touched && contents.isEmpty;
  if (isQuiet && known !== "" && !isAborted())
    return { tree: known, drafts, isNew: false };

  await objects.refresh();
  for (const directory of scan.directories) trees.change(directory);
  const directoryOf = (row: number): number => arena.parent[row] ?? 0;
  for (const row of scan.linked) trees.expect(directoryOf(row));
  await contents.finish();
  const regrouped = groupLinks(arena, scan.linked);
  for (const row of scan.linked)
    trees.settle(directoryOf(row), regrouped.has(row));
  await trees.make();
  if (!isAborted()) return { tree: trees.root(), drafts, isNew: true };
  trees.forget();
  return { tree: "", drafts, isNew: true };
};

const instant = (): Instant => ({ wall: Date.now(), uptime: uptime() * 1000 });

const clockOf = (made: Provenance | null, started: Instant): ScanClock => ({
  startedAt: started.wall,
  newest: made?.newest ?? -Infinity,
  sinceLast: made === null ? 0 : elapsedSince(made.endedAt, started),
  wasSetBack: made !== null && wasSetBack(made.endedAt, started),
  now: Date.now,
});

/** What is known of this directory, if it is this one that the cache is about. */
const knownOf = (cache: string | null, root: ByteString): StatCache => {
  const known = cache === null ? null : readStatCache(cache);
  return known?.made?.root === root
    ? known
    : { arena: new Arena(), made: null };
};
