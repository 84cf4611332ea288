import type { Entry } from "../format/entry.ts";
import type { ObjectSource } from "../packs/objects.ts";
import { withoutCapability } from "../format/xattr/xattrs.ts";

/** setuid and setgid. */
const PRIVILEGES = 0o6000;

/** A file of which a program could do what whoever runs it may not. On a directory, setgid grants nothing. */
export const isPrivileged = (entry: Entry): boolean =>
  entry.kind === "file" &&
  ((entry.mode & PRIVILEGES) !== 0 ||
    withoutCapability(entry.xattrs ?? "") !== (entry.xattrs ?? ""));

/** Checkpoints as they are when their files may do nothing that others may not. */
export const withoutPrivileges = (source: ObjectSource): ObjectSource => ({
  object: (hash) => source.object(hash),
  taken: (entry) => (isPrivileged(entry) ? harmless(entry) : entry),
});

const harmless = ({ xattrs = "", ...entry }: Entry): Entry => {
  const kept = withoutCapability(xattrs);
  const mode = entry.mode & ~PRIVILEGES;
  return { ...entry, mode, ...(kept !== "" && { xattrs: kept }) };
};
