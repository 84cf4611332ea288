/**
 * The way to a path of a workspace: name by name, every directory held without following a link. A link is read, and where
 * it leads is walked from the root again; one that leads out is refused.
 *
 *     root ─► name ─► directory: go on · link: from the root again, with what it says · anything else: only as the last
 *               └── nothing there: `missing`, with the names that are left
 */
import type { ByteString } from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { holdIn, holdRoot, targetIn, type Held } from "./held.ts";
import { climbed, linkParts } from "./path-parts.ts";

/** So many links are followed on one way, as the system does. */
const MAX_HOPS = 40;

export interface Found {
  /** What the path leads to; null where there is nothing. */
  readonly held: Held | null;
  /** The directory it is in; of the root the root itself. */
  readonly directory: Held;
  /** From the root to that directory, without links. */
  readonly above: readonly ByteString[];
  /** The names from there on: one, or more where directories are missing; none of the root. */
  readonly names: readonly ByteString[];
  close(): void;
}

export const walk = (root: ByteString, parts: readonly ByteString[]): Found => {
  let way: readonly ByteString[] = parts;
  for (let hops = 0; hops <= MAX_HOPS; hops++) {
    const step = walkOnce(root, way);
    if (!Array.isArray(step)) return step;
    way = step;
  }
  throw new LinkError(
    "too_many_links",
    `The path goes over more than ${MAX_HOPS} links.`,
  );
};

/** To the end, or to the first link: then the names that have to be walked instead. */
const walkOnce = (
  root: ByteString,
  parts: readonly ByteString[],
): Found | ByteString[] => {
  let directory = holdRoot(root);
  const above: ByteString[] = [];
  let next: Held | null = null;
  let isFound = false;
  try {
    for (const [at, name] of parts.entries()) {
      const rest = parts.slice(at);
      if (name === "..") return within(climbed(above, rest));
      next = holdIn(directory, name);
      if (next === null && rest.includes(".."))
        throw new LinkError("path_not_found", "There is nothing at this path.");
      if (next?.stat.isSymbolicLink() === true) {
        const target = targetIn(directory, name);
        const led = within(linkParts(root, above, target));
        return [...led, ...rest.slice(1)];
      }
      if (next === null || rest.length === 1) {
        isFound = true;
        return found(next, directory, above, rest);
      }
      if (!next.stat.isDirectory())
        throw new LinkError(
          "not_a_directory",
          "Something on the way to this path is not a directory.",
        );
      directory.close();
      directory = next;
      next = null;
      above.push(name);
    }
    isFound = true;
    return found(directory, directory, above, []);
  } finally {
    if (!isFound) {
      next?.close();
      directory.close();
    }
  }
};

const found = (
  held: Held | null,
  directory: Held,
  above: readonly ByteString[],
  names: readonly ByteString[],
): Found => ({
  held,
  directory,
  above,
  names,
  close: () => {
    if (held !== directory) held?.close();
    directory.close();
  },
});

const within = (parts: ByteString[] | null): ByteString[] => {
  if (parts !== null) return parts;
  throw new LinkError(
    "path_outside",
    "The path goes over a link that leads out of the workspace. Only what is inside is read and written.",
  );
};
