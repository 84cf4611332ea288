import { mkdirSync } from "node:fs";
import {
  fromText,
  fsPath,
  parentOf,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import { checkContents } from "./check-contents.ts";
import { checkDirectories } from "./check-directories.ts";
import type { Difference } from "../trees/diff.ts";
import type { Entry } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { directoryIdentity } from "../files/directory-identity.ts";
import type { Hash } from "../format/hash.ts";
import { PER_FILE, SHARED_FROM } from "../threads/side-workers.ts";
import { stat } from "../files/look.ts";
import { rootOf, type ObjectSource } from "../packs/objects.ts";
import {
  attributesOf,
  type Attributes,
  makeDirectory,
  openDirectory,
  removeEntry,
  settle,
  settleLink,
} from "../write/put-entry.ts";
import { allOf, entryAt, namesOfGroups } from "../trees/find-entry.ts";
import type { Surroundings } from "../capture/save.ts";
import { SafePath } from "../files/safe-path.ts";
import { withoutPrivileges } from "../trees/without-privileges.ts";
import { writeEntries } from "./write-entries.ts";

export interface RestoreSteps {
  tree: Hash;
  root: string;
  fresh: boolean;
  createOnly: boolean;
  /** Somebody else made it: its files get no privileges. */
  isImported: boolean;
  steps: readonly Difference[];
  /** What an earlier one left that was cut off. */
  drafts: readonly ByteString[];
  /** The directory that the plan was made for; null when there was none. */
  ground: string | null;
}

export interface RestoreOrder extends RestoreSteps {
  /** Names the files that are made beside others until they are whole; null when there are no others. */
  restoreId: string | null;
}

/** What the thread gives to a restore. */
export type RestoreSurroundings = Pick<
  Surroundings,
  "objects" | "isAborted" | "sideWorkers"
>;

export interface Restored {
  created: number;
  replaced: number;
  removed: number;
  /** Only their mode or time. */
  adjusted: number;
  /** What could not be removed, because something is in it that is not ours, or not be made, like a socket. */
  kept: string[];
  /** What could not be given all its extended attributes: the file system has none, or we may not. */
  incomplete: string[];
}

/**
 * Makes the directory what the checkpoint says, in the order that a crash can interrupt at any place: what is in the
 * way goes, then directories, files, links come; modes and times of directories last. Doing it again finishes it.
 */
export const restore = async (
  plan: RestoreOrder,
  around: RestoreSurroundings,
): Promise<Restored> => {
  const safePath = new SafePath(fromText(plan.root));
  try {
    return await carryOut(plan, safePath, around);
  } finally {
    safePath.close();
    await around.sideWorkers.close();
  }
};

const carryOut = async (
  plan: RestoreOrder,
  safePath: SafePath,
  { objects, isAborted, sideWorkers }: RestoreSurroundings,
): Promise<Restored> => {
  await objects.refresh();
  const source = plan.isImported ? withoutPrivileges(objects) : objects;
  const root = fromText(plan.root);
  if (plan.ground !== null && directoryIdentity(root) !== plan.ground)
    throw new VaultFailure(
      "changed",
      `${plan.root} is another directory than the one the restore was planned for`,
    );
  if (plan.fresh) mkdirSync(fsPath(root), { recursive: true, mode: 0o700 });
  const steps = plan.fresh ? await allOf(plan.tree, source) : plan.steps;
  checkDirectories({ root, safePath }, plan.fresh, steps);
  const lost = steps.filter(losesContent);
  await checkContents({ root, safePath }, lost, objects, isAborted);

  const done: Restored = {
    created: 0,
    replaced: 0,
    removed: 0,
    adjusted: 0,
    kept: [],
    incomplete: [],
  };
  const made = new Set<ByteString>(plan.fresh ? [""] : []);
  const isInPlace = !plan.fresh && !plan.createOnly;
  const opened = openParents(safePath, isInPlace ? steps : []);
  for (const draft of plan.drafts) removeEntry(safePath.at(draft), false);
  const kept = clear(safePath, steps);
  const possible = steps.filter(
    ({ path, after }) => after !== null && !kept.has(path),
  );
  const toWrite = possible.filter(
    (step) => needsWriting(step) || isSharedElsewhere(safePath, step),
  );
  const isLarge = sideWorkers.areUseful && weightOf(toWrite) >= SHARED_FROM;
  if (isLarge) sideWorkers.start();
  for (const { path, before, after } of possible)
    if (after?.kind === "directory" && before?.kind !== "directory") {
      const inherits = safePath.inheritsAcl(parentOf(path));
      makeDirectory({ draft: safePath.at(path), inherits });
      made.add(path);
    }
  const writing = new Set(toWrite);
  const groups = await namesOfGroups(toWrite, async () =>
    plan.fresh ? steps : allOf(plan.tree, source),
  );
  const { skipped, incomplete } = await writeEntries({
    root,
    safePath,
    steps: toWrite,
    restoreIdFor: (path) => (made.has(parentOf(path)) ? null : plan.restoreId),
    namesOfGroups: groups,
    objects,
    isAborted,
    sideWorkers: isLarge ? sideWorkers : null,
  });
  for (const step of possible)
    if (!writing.has(step) && !adjust(safePath.at(step.path), step))
      incomplete.push(step.path);
  // Directories that were there keep their own modes when nothing that was there may change.
  const touched = plan.createOnly
    ? []
    : [
        ...(plan.fresh ? [""] : opened),
        ...steps.map(({ path }) => parentOf(path)),
      ];
  incomplete.push(
    ...(await settleDirectories(
      plan.tree,
      safePath,
      source,
      possible,
      touched,
    )),
  );

  for (const step of steps) count(done, step, kept);
  done.kept.push(...[...kept, ...skipped].map(toText));
  done.incomplete.push(...incomplete.map(toText));
  return done;
};

/** How much there is to write. */
const weightOf = (steps: readonly Difference[]): number => {
  let weight = 0;
  for (const { after } of steps)
    if (after?.kind === "file") weight += after.size + PER_FILE;
  return weight;
};

/** Lets us write where the owner is forbidden to; their modes come back at the end. */
const openParents = (
  safePath: SafePath,
  steps: readonly Difference[],
): ByteString[] => {
  const opened: ByteString[] = [];
  const seen = new Set<ByteString>();
  for (const { path, before } of steps) {
    const isOurs = before?.kind === "directory";
    for (const directory of isOurs ? [parentOf(path), path] : [parentOf(path)])
      if (!seen.has(directory)) {
        seen.add(directory);
        if (openIfThere(safePath, directory)) opened.push(directory);
      }
  }
  return opened;
};

/** A parent may be one of those that are still to be made. */
const openIfThere = (safePath: SafePath, path: ByteString): boolean => {
  try {
    return openDirectory(safePath.toDirectory(path));
  } catch {
    return false;
  }
};

/** Removes what shall not be, the deepest first; the paths that had to stay. */
const clear = (
  safePath: SafePath,
  steps: readonly Difference[],
): Set<ByteString> => {
  const kept = new Set<ByteString>();
  for (const { path, before, after } of steps.toReversed()) {
    if (before === null || before.kind === after?.kind) continue;
    const isDirectory = before.kind === "directory";
    // A file is replaced by a rename, but neither for nor by a directory.
    const goes = after === null || isDirectory || after.kind === "directory";
    if (goes && !removeEntry(safePath.at(path), isDirectory)) kept.add(path);
  }
  return kept;
};

/** Whether a file is removed, or replaced by something else. */
const losesContent = (step: Difference): boolean =>
  step.before?.kind === "file" &&
  (step.after?.kind !== "file" || needsWriting(step));

/** Content, targets and names are written anew; modes and times alone are set where they are. */
const needsWriting = ({ before, after }: Difference): boolean => {
  if (after === null || after.kind === "directory") return false;
  if (before?.kind !== after.kind) return true;
  if (after.kind === "link")
    return before.kind === "link" && before.target !== after.target;
  if (after.kind !== "file" || before.kind !== "file") return false;
  return hashOf(before) !== hashOf(after) || before.group !== after.group;
};

/** Its mode and time belong to names outside the workspace too, so it gets its own file. */
const isSharedElsewhere = (
  safePath: SafePath,
  { path, before, after }: Difference,
): boolean => {
  if (after?.kind !== "file" || before === null || after.group !== 0n)
    return false;
  const now = stat(safePath.at(path));
  return typeof now !== "string" && now.nlink > 1;
};

const hashOf = ({ content }: Entry & { kind: "file" }): Hash | null =>
  content.form === "empty" ? null : content.hash;

/** False when it could not be given all its attributes. */
const adjust = (path: ByteString, { after }: Difference): boolean => {
  if (after === null || after.kind === "directory") return true;
  if (after.kind !== "link") return settle(path, attributesOf(after));
  settleLink(path, after.mtime);
  return true;
};

/**
 * Their times change with everything that is done in them, so they come last, the deepest first. The paths of those that
 * could not be given all their attributes.
 */
const settleDirectories = async (
  tree: Hash,
  safePath: SafePath,
  source: ObjectSource,
  steps: readonly Difference[],
  touched: readonly ByteString[],
): Promise<ByteString[]> => {
  const directories = new Map<ByteString, Attributes>();
  for (const { path, after } of steps)
    if (after?.kind === "directory") directories.set(path, attributesOf(after));
  const { xattrs } = await rootOf(source, tree);
  for (const path of new Set(touched)) {
    if (directories.has(path)) continue;
    const entry = await entryAt(tree, path, source);
    if (entry?.kind !== "directory") continue;
    const attributes = attributesOf(entry);
    // An older release did not look for extended attributes: those that are there may have been there then.
    directories.set(
      path,
      xattrs === undefined ? { ...attributes, xattrs: null } : attributes,
    );
  }
  return [...directories]
    .map(([path, attributes]) => ({ path, attributes, depth: depthOf(path) }))
    .sort((a, b) => b.depth - a.depth)
    .filter(
      ({ path, attributes }) => !settle(safePath.toDirectory(path), attributes),
    )
    .map(({ path }) => path);
};

const depthOf = (path: ByteString): number =>
  path === "" ? 0 : path.split("/").length;

const count = (
  done: Restored,
  step: Difference,
  kept: ReadonlySet<ByteString>,
): void => {
  if (kept.has(step.path)) return;
  if (step.after === null) done.removed += 1;
  else if (step.before === null) done.created += 1;
  else if (step.before.kind !== step.after.kind || needsWriting(step))
    done.replaced += 1;
  else done.adjusted += 1;
};
