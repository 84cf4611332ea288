/** Extended attributes through the C library: Node has no functions for them. Linux only. */
import { cFunctions } from "../../../kit/c-library.ts";
import type { ByteString } from "../byte-string.ts";

/** An open file, or a path whose last part is not followed when it is a link. */
export type Target = number | ByteString;

export interface XattrCalls {
  /** The names, or null when the system does not say: the file system has no attributes, or the file is gone. */
  list(target: Target): readonly ByteString[] | null;
  /** Null when it cannot be read. */
  get(target: Target, name: ByteString): ByteString | null;
  /** False when the system does not let us, or cannot. */
  set(target: Target, name: ByteString, value: ByteString): boolean;
  remove(target: Target, name: ByteString): boolean;
}

/** Null where the C library cannot be called. */
export const xattrCalls = (): XattrCalls | null => calls;

/** What most answers fit into. The kernel allocates as much as it is offered, so it is not offered more. */
const ROOM = 1024;
const NONE: readonly ByteString[] = [];

const load = (): XattrCalls | null => {
  if (process.platform !== "linux") return null;
  const c = cFunctions({
    flistxattr: { arguments: ["i32", "buffer", "u64"], return: "i32" },
    llistxattr: { arguments: ["buffer", "buffer", "u64"], return: "i32" },
    fgetxattr: { arguments: ["i32", "buffer", "buffer", "u64"], return: "i32" },
    lgetxattr: {
      arguments: ["buffer", "buffer", "buffer", "u64"],
      return: "i32",
    },
    fsetxattr: {
      arguments: ["i32", "buffer", "buffer", "u64", "i32"],
      return: "i32",
    },
    lsetxattr: {
      arguments: ["buffer", "buffer", "buffer", "u64", "i32"],
      return: "i32",
    },
    fremovexattr: { arguments: ["i32", "buffer"], return: "i32" },
    lremovexattr: { arguments: ["buffer", "buffer"], return: "i32" },
  });
  if (c === null) return null;
  const room = Buffer.allocUnsafeSlow(ROOM);
  /** The bytes that a call answers with; null when it fails. Called with no room it says how much it needs. */
  const answer = (
    ask: (into: Buffer, size: number) => number,
  ): Buffer | null => {
    const length = ask(room, ROOM);
    if (length >= 0) return room.subarray(0, length);
    const needed = ask(room, 0);
    if (needed <= ROOM) return null;
    const larger = Buffer.allocUnsafeSlow(needed);
    const got = ask(larger, needed);
    return got < 0 ? null : larger.subarray(0, got);
  };
  return {
    list: (target) => {
      const bytes = answer((into, size) =>
        typeof target === "number"
          ? c.flistxattr(target, into, size)
          : c.llistxattr(cString(target), into, size),
      );
      if (bytes === null) return null;
      return bytes.length === 0
        ? NONE
        : bytes.toString("latin1", 0, bytes.length - 1).split("\0");
    },
    get: (target, name) =>
      answer((into, size) =>
        typeof target === "number"
          ? c.fgetxattr(target, cString(name), into, size)
          : c.lgetxattr(cString(target), cString(name), into, size),
      )?.toString("latin1") ?? null,
    set: (target, name, value) => {
      // With a byte more, because an empty buffer has no address.
      const bytes = cString(value);
      const size = value.length;
      return (
        (typeof target === "number"
          ? c.fsetxattr(target, cString(name), bytes, size, 0)
          : c.lsetxattr(cString(target), cString(name), bytes, size, 0)) === 0
      );
    },
    remove: (target, name) =>
      (typeof target === "number"
        ? c.fremovexattr(target, cString(name))
        : c.lremovexattr(cString(target), cString(name))) === 0,
  };
};

const cString = (text: ByteString): Buffer =>
  Buffer.from(`${text}\0`, "latin1");

const calls = load();
