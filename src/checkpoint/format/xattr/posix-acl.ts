import type { ByteString } from "../byte-string.ts";

const VERSION = 2;
const HEAD = 4;
const ENTRY = 8;
const GROUP = 0x04;
const MASK = 0x10;

/**
 * With an ACL, the group's bits of a mode are not the group's: they are the mask, the most that anybody in the ACL may
 * have. This is what the owning group itself may do, so that a file without its ACL lets nobody in that was not. Of an
 * ACL that cannot be read, nothing.
 */
export const modeWithoutAcl = (mode: number, acl: ByteString | null): number =>
  (mode & ~0o070) | (groupOf(acl) << 3);

const groupOf = (acl: ByteString | null): number => {
  const bytes = Buffer.from(acl ?? "", "latin1");
  if (bytes.length < HEAD || bytes.readUInt32LE(0) !== VERSION) return 0;
  let group = 0;
  let mask = 0o7;
  for (let at = HEAD; at + ENTRY <= bytes.length; at += ENTRY) {
    const permissions = bytes.readUInt16LE(at + 2) & 0o7;
    if (bytes.readUInt16LE(at) === GROUP) group = permissions;
    if (bytes.readUInt16LE(at) === MASK) mask = permissions;
  }
  return group & mask;
};
