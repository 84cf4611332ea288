import { modeWithoutAcl } from "./posix-acl.ts";
import type { Target, XattrCalls } from "./xattr-calls.ts";
import { ACL_ACCESS, decodeXattrs, isKept, type Xattrs } from "./xattrs.ts";

export interface Given {
  /** What its mode is to be now: without its ACL the owning group has only what was its own. */
  mode: number;
  /** Whether it has all that it shall have. */
  isComplete: boolean;
}

/**
 * Gives a file or directory the attributes that it shall have, and takes those that it shall not have. Whoever calls this
 * has seen to it that nobody but its owner can use it, and sets its mode afterwards. `calls` is null where there are none.
 */
export const giveXattrs = (
  target: Target,
  wanted: Xattrs,
  mode: number,
  calls: XattrCalls | null,
): Given => {
  const { attributes, incomplete, unknownAcl } =
    wanted === ""
      ? { attributes: [], incomplete: false, unknownAcl: false }
      : decodeXattrs(wanted);
  const named = new Set(attributes.map(({ name }) => name));
  let isComplete = !unknownAcl && !incomplete;
  for (const name of calls?.list(target) ?? []) {
    // Of what did not fit nobody knows what it was.
    const isStray = isKept(name) && !named.has(name) && !incomplete;
    if (isStray && calls?.remove(target, name) !== true) isComplete = false;
  }
  let acl = unknownAcl ? null : "";
  for (const { name, value } of attributes) {
    if (calls?.set(target, name, value) === true) continue;
    isComplete = false;
    if (name === ACL_ACCESS) acl = value;
  }
  return {
    mode: acl === "" ? mode : modeWithoutAcl(mode, acl),
    isComplete,
  };
};
