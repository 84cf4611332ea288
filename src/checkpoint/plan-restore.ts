import { readdirSync } from "node:fs";
import type { Arena } from "./arena.ts";
import { fromText, fsPath, toText, type ByteString } from "./byte-string.ts";
import { differences, type Difference } from "./diff.ts";
import type { Hash } from "./hash.ts";
import { VaultFailure } from "./failure.ts";
import { entryAt } from "./find-entry.ts";
import { looked } from "./look.ts";
import { rootOf, type ObjectSource } from "./objects.ts";
import { capture, type SaveRequest, type Surroundings } from "./save.ts";
import { isDraft } from "./scan.ts";
import { Sketch } from "./sink.ts";
import { isWantedBy } from "./wanted.ts";

/** What a restore would do, before it does anything. */
export interface Steps {
  /** Nothing is there: all of the checkpoint is made, and the steps are not told one by one. */
  fresh: boolean;
  /** From what is there to what shall be. */
  steps: Difference[];
  /** What an earlier restore left that was cut off. */
  drafts: ByteString[];
}

export interface RestoreRequest extends SaveRequest {
  tree: Hash;
  /** Only these paths and what is beneath them; null for everything. */
  only: readonly string[] | null;
}

export const planSteps = async (
  request: RestoreRequest,
  around: Surroundings,
): Promise<Steps> => {
  const { objects } = around;
  await objects.refresh();
  // What cannot be restored shall be known now.
  await rootOf(objects, request.tree);
  const vacant = draftsOfVacant(fromText(request.root));
  if (request.only === null && vacant !== null)
    return { fresh: true, steps: [], drafts: vacant };
  const only = request.only?.map(fromText) ?? null;
  const { drafts, found } = await compare(request, around);
  const steps = only === null ? found : found.filter(isWantedBy(only));
  return { fresh: false, steps, drafts };
};

export interface CompareRequest extends SaveRequest {
  tree: Hash;
  /** Whatever cannot be read because it changes is a failure. */
  proven?: boolean;
}

/** From the directory as it is to the checkpoint. Keeps nothing. */
export const compare = async (
  request: CompareRequest,
  around: Surroundings,
): Promise<{ found: Difference[]; drafts: ByteString[] }> => {
  const { objects } = around;
  await objects.refresh();
  const sketch = new Sketch(objects);
  const { arena, tree, drafts } = await capture(request, around, sketch, null);
  if (tree === null)
    throw new VaultFailure("aborted", "the comparison was called off");
  if (request.proven === true)
    await refuseChanging(arena, request.tree, objects);
  const found = await differences(
    { source: sketch, tree },
    { source: objects, tree: request.tree },
  );
  return { found, drafts };
};

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
const draftsOfVacant = (root: ByteString): ByteString[] | null => {
  const names = looked(() => readdirSync(fsPath(root), "latin1"));
  if (names === "gone") return [];
  return names !== "unreadable" && names.every(isDraft) ? names : null;
};
