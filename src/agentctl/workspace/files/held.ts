import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type BigIntStats,
} from "node:fs";
import {
  fsPath,
  join,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { hasErrno } from "../../../kit/errno.ts";

/** Only Linux gives names to what is open. Elsewhere paths have to do. */
const OPEN_FILES = "/proc/self/fd";
const CAN_HOLD = process.platform === "linux" && existsSync(OPEN_FILES);
/** Opens to be found there and for nothing else: no permission is needed, and no FIFO or device notices. Node has no name for it. */
const O_PATH = 0o10000000;

/** Something in a workspace, held: whoever puts something else in its place moves a name, and this stays what it is. */
export interface Held {
  /** Leads to it, and follows no link of the workspace. */
  readonly path: ByteString;
  readonly stat: BigIntStats;
  /** Of this process, whichever thread opened it; null where only its path is known. */
  readonly descriptor: number | null;
  close(): void;
}

/** By a path of ours, which links may be part of. */
export const holdRoot = (root: ByteString): Held => {
  try {
    const held = CAN_HOLD
      ? holdOpen(root, O_PATH | constants.O_DIRECTORY)
      : looked(root);
    if (held.stat.isDirectory()) return held;
    held.close();
  } catch (error) {
    if (hasErrno(error, "EACCES")) throw denied(error);
    if (!hasErrno(error, ...GONE)) throw error;
  }
  throw new LinkError(
    "workspace_missing",
    "The workspace of the session is not there. Resume the session: its newest checkpoint is restored then.",
  );
};

/** What bears a name in a directory that is held; null where nothing does. */
export const holdIn = (directory: Held, name: ByteString): Held | null => {
  const path = join(directory.path, name);
  try {
    return CAN_HOLD
      ? holdOpen(path, O_PATH | constants.O_NOFOLLOW)
      : looked(path);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw pathError(error);
  }
};

/** Opens a regular file that is held, and nothing else. The caller closes the descriptor. */
export const openHeld = (file: Held): number => {
  if (!file.stat.isFile()) throw notAFile(file.stat);
  try {
    const opened = openSync(
      fsPath(file.path),
      constants.O_RDONLY |
        constants.O_NONBLOCK |
        (CAN_HOLD ? 0 : constants.O_NOFOLLOW),
    );
    const now = fstatSync(opened, { bigint: true });
    if (now.ino === file.stat.ino && now.dev === file.stat.dev) return opened;
    closeSync(opened);
  } catch (error) {
    throw pathError(error);
  }
  throw new LinkError("path_not_found", "The file was replaced meanwhile.");
};

export const targetIn = (directory: Held, name: ByteString): ByteString => {
  try {
    return readlinkSync(fsPath(join(directory.path, name)), "latin1");
  } catch (error) {
    if (hasErrno(error, "EINVAL"))
      throw new LinkError("path_not_found", "The link was replaced meanwhile.");
    throw pathError(error);
  }
};

/** What is wrong with a path, as the system says it. */
export const pathError = (error: unknown): unknown => {
  if (hasErrno(error, ...GONE))
    return new LinkError("path_not_found", "There is nothing at this path.");
  if (hasErrno(error, "EACCES", "EPERM", "EROFS")) return denied(error);
  if (hasErrno(error, "ENAMETOOLONG"))
    return new LinkError("path_invalid", "A name in the path is too long.");
  return error;
};

export const notAFile = (stat: BigIntStats): LinkError =>
  new LinkError(
    "not_a_file",
    stat.isDirectory()
      ? "The path is that of a directory."
      : "The path is that of a FIFO, a socket or a device. Only regular files are read and written.",
  );

const GONE = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "ESTALE"] as const;

const denied = (error: unknown): LinkError =>
  new LinkError(
    "path_denied",
    `agentctl may not do that there (${error instanceof Error && "code" in error ? String(error.code) : "denied"}). Look at the permissions of the path.`,
  );

const holdOpen = (path: ByteString, flags: number): Held => {
  const file = openSync(fsPath(path), flags);
  try {
    return {
      path: `${OPEN_FILES}/${file}`,
      stat: fstatSync(file, { bigint: true }),
      descriptor: file,
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
};

const looked = (path: ByteString): Held => ({
  path,
  stat: lstatSync(fsPath(path), { bigint: true }),
  descriptor: null,
  close: () => undefined,
});
