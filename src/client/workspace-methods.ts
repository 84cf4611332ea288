import type { Address } from "./call.ts";
import {
  fileContent,
  listFiles,
  readFile,
  type ReadFileOptions,
  writeFile,
  type WriteFileOptions,
} from "./workspace.ts";

/** What the client can do with the workspace of a session, whether its agent runs or not. */
export const workspaceMethods = (address: Address) => ({
  /** A page of a directory; the workspace itself unless a path is named. */
  listFiles: (
    id: string,
    path = "",
    page: { after?: string; limit?: number; signal?: AbortSignal } = {},
  ) => listFiles(address, id, path, page),
  /** At most 8 MiB of a file: `range` says where. Null where `ifNoneMatch` holds. */
  readFile: (id: string, path: string, options: ReadFileOptions = {}) =>
    readFile(address, id, path, options),
  /** A file of any size, piece by piece. */
  fileContent: (id: string, path: string, options?: { signal?: AbortSignal }) =>
    fileContent(address, id, path, options),
  /** Writes a file, whole or not at all. Directories on the way to it are made. */
  writeFile: (
    id: string,
    path: string,
    content: string | Blob | Uint8Array<ArrayBuffer>,
    options?: WriteFileOptions,
  ) => writeFile(address, id, path, content, options),
});
