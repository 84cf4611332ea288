import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { hasErrno } from "../../kit/errno.ts";
import {
  fsPath,
  join,
  nameOf,
  parentOf,
  toText,
  type ByteString,
} from "../format/byte-string.ts";
import { VaultFailure } from "../format/failure.ts";
import { mountIdOf } from "./mount-id.ts";
import { xattrCalls } from "../format/xattr/xattr-calls.ts";
import { ACL_DEFAULT } from "../format/xattr/xattrs.ts";

/** Only Linux gives names to what is in an open directory. Elsewhere paths have to do. */
const OPEN_FILES = "/proc/self/fd";
const CAN_HOLD = process.platform === "linux" && existsSync(OPEN_FILES);

/** Opens to be found there and for nothing else, so that no permission is needed. Node has no name for it. */
const O_PATH = 0o10000000;
const MAX_HELD = 64;

/**
 * The way to what a save reads and a restore touches. Every directory on it is opened without following a link, and held:
 * whoever puts a link in its place meanwhile moves a name, and nothing is done behind that link. A directory of another
 * mount is not entered.
 */
export class SafePath {
  readonly #root: ByteString;
  /** Those that were used last come last. */
  readonly #held = new Map<ByteString, number>();
  /** Of the root; null where the system does not say. */
  #mount: bigint | null = null;
  readonly #inherits = new Map<ByteString, boolean>();

  constructor(root: ByteString) {
    this.#root = root;
  }

  /** Where a path of the workspace is now. Good until many others were asked for. */
  at(path: ByteString): ByteString {
    if (!CAN_HOLD) return join(this.#root, path);
    const name = path === "" ? "." : nameOf(path);
    return `${OPEN_FILES}/${this.#hold(parentOf(path))}/${name}`;
  }

  /** The same of a directory that is there, and nothing is mounted on it. */
  toDirectory(path: ByteString): ByteString {
    const at = this.at(path);
    if (CAN_HOLD && path !== "") closeSync(this.#openDirectory(path, at));
    return at;
  }

  /** Whether what is made in a directory gets an ACL from it. */
  inheritsAcl(directory: ByteString): boolean {
    const known = this.#inherits.get(directory);
    if (known !== undefined) return known;
    const names = xattrCalls()?.list(this.at(directory)) ?? [];
    const inherits = names.includes(ACL_DEFAULT);
    this.#inherits.set(directory, inherits);
    return inherits;
  }

  /** Null where no directory leads there any more. */
  find(path: ByteString): ByteString | null {
    try {
      return this.at(path);
    } catch (error) {
      if (error instanceof VaultFailure) return null;
      throw error;
    }
  }

  close(): void {
    for (const file of this.#held.values()) closeSync(file);
    this.#held.clear();
  }

  #hold(directory: ByteString): number {
    const file = this.#held.get(directory) ?? this.#open(directory);
    this.#held.delete(directory);
    this.#held.set(directory, file);
    const [oldest] = this.#held;
    if (oldest !== undefined && this.#held.size > MAX_HELD) {
      this.#held.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    return file;
  }

  #open(directory: ByteString): number {
    if (directory !== "")
      return this.#openDirectory(directory, this.at(directory));
    const root = openDirectory(this.#root, toText(this.#root));
    this.#mount = mountIdOf(root);
    return root;
  }

  #openDirectory(directory: ByteString, at: ByteString): number {
    const name = `${toText(this.#root)}/${toText(directory)}`;
    const file = openDirectory(at, name);
    if (mountIdOf(file) === this.#mount) return file;
    closeSync(file);
    throw new VaultFailure("changed", `${name} is a mount point now`);
  }
}

const openDirectory = (at: ByteString, name: string): number => {
  try {
    return openSync(
      fsPath(at),
      O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW,
    );
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
    throw changed(name);
  }
};

/** Does something that would follow a link with what bears this name, which is none. */
export const holding = (
  path: ByteString,
  act: (held: ByteString) => void,
): void => {
  if (!CAN_HOLD) return act(path);
  const file = openSync(fsPath(path), O_PATH | constants.O_NOFOLLOW);
  try {
    if (fstatSync(file).isSymbolicLink())
      throw changed("a directory or a file");
    act(`${OPEN_FILES}/${file}`);
  } finally {
    closeSync(file);
  }
};

const changed = (what: string): VaultFailure =>
  new VaultFailure(
    "changed",
    `${what} was replaced by a link while the restore was under way`,
  );
