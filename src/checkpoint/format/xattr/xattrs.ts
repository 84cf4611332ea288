/**
 * What a checkpoint keeps of a file's extended attributes: ACLs, capabilities and what users put there. Everything else
 * (labels of security modules, what file systems keep for themselves) belongs to the place, not to the file.
 */
import type { ByteString } from "../byte-string.ts";
import { ByteReader, ByteWriter } from "../wire.ts";
import type { Target, XattrCalls } from "./xattr-calls.ts";

export const ACL_ACCESS = "system.posix_acl_access";
export const ACL_DEFAULT = "system.posix_acl_default";
export const CAPABILITY = "security.capability";

/**
 * Attributes in the form in which they rest in a tree: docs/spec/checkpoint-format.md. The same attributes are the same
 * string, so that comparing costs nothing; without any it is empty.
 */
export type Xattrs = ByteString;

export interface Xattr {
  name: ByteString;
  value: ByteString;
}

export interface DecodedXattrs {
  attributes: readonly Xattr[];
  /** There were more than fit: those of users are not among them. */
  incomplete: boolean;
  /** There was an ACL that could not be read. */
  unknownAcl: boolean;
}

const VERSION = 1;
const INCOMPLETE = 1;
const UNKNOWN_ACL = 2;
const KNOWN_FLAGS = INCOMPLETE | UNKNOWN_ACL;
const HEAD = 2;
/** All attributes of one file, as they are stored. */
export const MAX_XATTR_BYTES = 16 * 1024;
const MAX_NAME = 255;

/** That attributes were looked for, and there are none: what the root of every checkpoint says at least. */
export const NO_XATTRS: Xattrs = "\u0001\0";

export const readXattrs = (target: Target, calls: XattrCalls): Xattrs => {
  const names = calls.list(target);
  if (names === null || names.length === 0) return "";
  const kept = names.filter(isKept).sort();
  if (kept.length === 0) return "";
  const attributes: Xattr[] = [];
  let unknownAcl = false;
  for (const name of kept) {
    const value = calls.get(target, name);
    if (value !== null) attributes.push({ name, value });
    else unknownAcl ||= name === ACL_ACCESS;
  }
  return encodeXattrs({ attributes, incomplete: false, unknownAcl });
};

/** When they are too large together those of users go. Permissions are small; an ACL that is not is as good as unknown. */
export const encodeXattrs = (given: DecodedXattrs): Xattrs => {
  if (fits(given.attributes)) return encoded(given);
  const attributes = given.attributes.filter(({ name }) => !isUsers(name));
  return fits(attributes)
    ? encoded({ ...given, attributes, incomplete: true })
    : encoded({ attributes: [], incomplete: true, unknownAcl: true });
};

/** What is damaged, or not as we write it, is a failure. */
export const decodeXattrs = (xattrs: Xattrs): DecodedXattrs => {
  const from = new ByteReader(Buffer.from(xattrs, "latin1"));
  if (from.u8() !== VERSION) throw from.damage("attributes of a newer release");
  const flags = from.u8();
  if ((flags & ~KNOWN_FLAGS) !== 0 || xattrs.length > MAX_XATTR_BYTES)
    throw from.damage("attributes that cannot be");
  const attributes: Xattr[] = [];
  for (let last = ""; !from.isAtEnd;) {
    const name = from.text();
    if (!isKept(name) || name <= last) throw from.damage("an attribute's name");
    attributes.push({ name, value: from.text() });
    last = name;
  }
  return {
    attributes,
    incomplete: (flags & INCOMPLETE) !== 0,
    unknownAcl: (flags & UNKNOWN_ACL) !== 0,
  };
};

/** Whether the file has more than this says. */
export const isIncomplete = (xattrs: Xattrs): boolean =>
  ((xattrs.codePointAt(1) ?? 0) & KNOWN_FLAGS) !== 0;

/** Without what lets a program do what its user may not. */
export const withoutCapability = (xattrs: Xattrs): Xattrs => {
  if (!xattrs.includes(CAPABILITY)) return xattrs;
  const { attributes, ...rest } = decodeXattrs(xattrs);
  const kept = attributes.filter(({ name }) => name !== CAPABILITY);
  return encodeXattrs({ ...rest, attributes: kept });
};

export const isKept = (name: ByteString): boolean =>
  name === ACL_ACCESS ||
  name === ACL_DEFAULT ||
  name === CAPABILITY ||
  (isUsers(name) && name.length <= MAX_NAME);

const isUsers = (name: ByteString): boolean =>
  name.startsWith("user.") && name.length > "user.".length;

const fits = (attributes: readonly Xattr[]): boolean =>
  attributes.reduce(
    (sum, { name, value }) => sum + 2 + name.length + 2 + value.length,
    HEAD,
  ) <= MAX_XATTR_BYTES;

const encoded = ({
  attributes,
  incomplete,
  unknownAcl,
}: DecodedXattrs): Xattrs => {
  const out = new ByteWriter(256);
  out.u8(VERSION);
  out.u8((incomplete ? INCOMPLETE : 0) | (unknownAcl ? UNKNOWN_ACL : 0));
  for (const { name, value } of attributes) {
    out.text(name);
    out.text(value);
  }
  const xattrs = out.bytes().toString("latin1");
  return xattrs === NO_XATTRS ? "" : xattrs;
};
