import { readdirSync } from "node:fs";
import type { Arena } from "../trees/arena.ts";
import {
  fromText,
  fsPath,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import {
  differences,
  isMounted,
  type Difference,
  type Side,
} from "../trees/diff.ts";
import type { DraftKind } from "../files/draft-name.ts";
import type { Hash } from "../format/hash.ts";
import { VaultFailure } from "../format/failure.ts";
import { entryAt } from "../trees/find-entry.ts";
import { directoryIdentity } from "../files/directory-identity.ts";
import { looked } from "../files/look.ts";
import { madeSince } from "../trees/made-since.ts";
import { rootOf, type ObjectSource } from "../packs/objects.ts";
import {
  capture,
  type SaveRequest,
  type Surroundings,
} from "../capture/save.ts";
import { Sketch } from "../packs/sink.ts";
import { besidesAll, onlyAt } from "../trees/path-filter.ts";
import { withoutPrivileges } from "../trees/without-privileges.ts";

/** What a restore would do, before it does anything. */
export interface Steps {
  /** Nothing is there: all of the checkpoint is made, and the steps are not told one by one. */
  fresh: boolean;
  /** From what is there to what shall be. */
  steps: Difference[];
  /** What an earlier restore left that was cut off. */
  drafts: ByteString[];
  /** Where something is mounted now. Whatever the checkpoint has there is not restored. */
  mounted: ByteString[];
  /** What would be undone and is not in the checkpoint that was named: it would be lost. */
  uncaptured: ByteString[];
  /** Which directory it is, wherever its name leads later; null when there is none. */
  ground: string | null;
}

export interface RestoreRequest extends SaveRequest {
  tree: Hash;
  /** Somebody else made it: its files get no privileges. */
  isImported: boolean;
  /** Only these paths and what is beneath them; null for everything. */
  only: readonly string[] | null;
  /** These paths and what is beneath them stay as they are. */
  except: readonly string[];
  /** Leaves alone whatever is there. */
  createOnly: boolean;
  /** A checkpoint that has what is there, so that nothing is lost; null when that does not matter. */
  captured: Hash | null;
}

export const planSteps = async (
  request: RestoreRequest,
  around: Surroundings,
): Promise<Steps> => {
  const { objects } = around;
  await objects.refresh();
  // What cannot be restored shall be known now.
  await rootOf(objects, request.tree);
  const root = fromText(request.root);
  const ground = directoryIdentity(root);
  const vacant = draftsOfVacant(root, around.draftKind);
  if (request.only === null && vacant !== null)
    return { ...NOTHING, fresh: true, drafts: vacant, ground };
  const isWanted = wishOf(request);
  const { drafts, found, gaps } = await compare(request, around);
  const steps = found.filter(isWanted);
  const mounted = gaps
    .filter((gap) => isMounted(gap.before) && gap.after?.kind !== "unsaved")
    .filter(isWanted)
    .map(({ path }) => path);
  const uncaptured = await lostBy(steps, request, objects);
  return { fresh: false, steps, drafts, mounted, uncaptured, ground };
};

const wishOf = ({ only, except }: RestoreRequest) => {
  const isAsked = only === null ? () => true : onlyAt(only.map(fromText));
  const isFree = besidesAll(except.map(fromText));
  return (step: Difference): boolean => isAsked(step) && isFree(step);
};

const NOTHING = { steps: [], mounted: [], uncaptured: [] };

const lostBy = async (
  steps: readonly Difference[],
  request: RestoreRequest,
  source: ObjectSource,
): Promise<ByteString[]> => {
  const tree = request.captured;
  if (tree === null) return [];
  const known = await differences({ source, tree }, asTaken(request, source));
  return madeSince(steps, known);
};

export interface CompareRequest extends SaveRequest {
  tree: Hash;
  isImported: boolean;
  /** Whatever cannot be read because it changes is a failure. */
  proven?: boolean;
}

/** From the directory as it is to the checkpoint. Keeps nothing. */
export const compare = async (
  request: CompareRequest,
  around: Surroundings,
): Promise<{
  found: Difference[];
  gaps: Difference[];
  drafts: ByteString[];
}> => {
  const { objects } = around;
  await objects.refresh();
  const sketch = new Sketch(objects);
  const { arena, tree, drafts } = await capture(request, around, sketch, null);
  if (tree === null)
    throw new VaultFailure("aborted", "the comparison was called off");
  if (request.proven === true)
    await refuseChanging(arena, request.tree, objects);
  const gaps: Difference[] = [];
  const found = await differences(
    { source: sketch, tree },
    asTaken(request, objects),
    gaps,
  );
  return { found, gaps, drafts };
};

/** The checkpoint as it is restored. */
const asTaken = (
  { tree, isImported }: CompareRequest,
  source: ObjectSource,
): Side => ({ tree, source: isImported ? withoutPrivileges(source) : source });

/** What a checkpoint does not know either cannot be other than it was. */
const refuseChanging = async (
  arena: Arena,
  tree: Hash,
  objects: ObjectSource,
): Promise<void> => {
  for (const row of arena.live()) {
    if (arena.reason(row) !== "unstable") continue;
    const path = arena.path(row);
    const known = await entryAt(tree, path, objects);
    if (known !== null && known.kind !== "unsaved")
      throw new VaultFailure(
        "changed",
        `something else keeps writing to ${toText(path)}`,
      );
  }
};

/** Of a directory that is not there, or empty but for drafts; null of any other. */
const draftsOfVacant = (
  root: ByteString,
  draftKind: DraftKind,
): ByteString[] | null => {
  const names = looked(() => readdirSync(fsPath(root), "latin1"));
  if (names === "gone") return [];
  if (names === "unreadable") return null;
  return names.every((name) => draftKind(name) === "file") ? names : null;
};
