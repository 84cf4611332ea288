import { unreachable } from "../../kit/unreachable.ts";
import { parentOf, type ByteString } from "../format/byte-string.ts";
import type { Difference } from "../trees/diff.ts";
import type { Entry } from "../format/entry.ts";
import type { SideWorkers } from "../threads/side-workers.ts";
import type { Objects } from "../packs/objects.ts";
import {
  attributesOf,
  draftFor,
  makeLink,
  makeName,
  makePipe,
  putEntry,
} from "../write/put-entry.ts";
import type { SafePath } from "../files/safe-path.ts";
import { writeFiles, type FileJob } from "./write-files.ts";

/** What could not be made as it was. */
export interface Unmade {
  /** What no program can make. */
  skipped: ByteString[];
  /** What lacks some of its attributes. */
  incomplete: ByteString[];
}

/** Makes everything but directories. */
export const writeEntries = async (options: {
  root: ByteString;
  safePath: SafePath;
  steps: readonly Difference[];
  /** The id of the restore for what is made beside its place; null for what grows there. */
  restoreIdFor: (path: ByteString) => string | null;
  namesOfGroups: ReadonlyMap<bigint, readonly ByteString[]>;
  objects: Objects;
  isAborted: () => boolean;
  /** Threads for many files; null for few. */
  sideWorkers: SideWorkers | null;
}): Promise<Unmade> => {
  const { safePath, steps, restoreIdFor, objects, isAborted, sideWorkers } =
    options;
  const files: FileJob[] = [];
  const others: { path: ByteString; entry: Entry }[] = [];
  const names: { path: ByteString; of: ByteString }[] = [];
  const writing = new Set(steps.map(({ path }) => path));
  /** The name of each group that is written, or is there already. */
  const leaders = new Map<bigint, ByteString>();
  for (const [group, paths] of options.namesOfGroups)
    leaders.set(group, paths.find((it) => !writing.has(it)) ?? paths[0] ?? "");
  for (const { path, after } of steps) {
    if (after === null) continue;
    const leader = after.kind === "file" ? leaders.get(after.group) : undefined;
    if (leader !== undefined && leader !== path)
      names.push({ path, of: leader });
    else if (after.kind === "file")
      files.push({ path, entry: after, restoreId: restoreIdFor(path) });
    else others.push({ path, entry: after });
  }
  const unmade: Unmade = {
    skipped: [],
    incomplete: await writeFiles(
      options,
      files,
      objects,
      isAborted,
      sideWorkers,
    ),
  };
  for (const { path, of } of names) {
    const name = safePath.at(path);
    const draft = draftFor(name, restoreIdFor(path));
    putEntry(draft, name, () => makeName(draft, safePath.at(of)));
  }
  for (const { path, entry } of others) {
    const inherits = safePath.inheritsAcl(parentOf(path));
    const made = makeOther(
      safePath.at(path),
      entry,
      restoreIdFor(path),
      inherits,
    );
    if (made === null) unmade.skipped.push(path);
    else if (!made) unmade.incomplete.push(path);
  }
  return unmade;
};

/** Null for what cannot be made, and false for what could not be given all its attributes. */
const makeOther = (
  path: ByteString,
  entry: Entry,
  restoreId: string | null,
  inherits: boolean,
): boolean | null => {
  const draft = draftFor(path, restoreId);
  switch (entry.kind) {
    case "link":
      putEntry(draft, path, () => makeLink(draft, entry.target, entry.mtime));
      return true;
    case "fifo": {
      const made = makePipe({ draft, inherits }, attributesOf(entry));
      if (made !== null) putEntry(draft, path, () => {});
      return made;
    }
    case "socket":
    case "device":
    case "unsaved":
      return null;
    case "file":
    case "directory":
      throw new Error("files and directories are made elsewhere");
    default:
      return unreachable(entry);
  }
};
