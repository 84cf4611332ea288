import type { DirectoriesQuery } from "../contract/api/directory-route.ts";
import { type Address, call, type Given } from "./call.ts";
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
  /** Lines that fit a pattern; with `names` files by their paths, the best first. */
  searchFiles: (
    id: string,
    q: string,
    {
      signal,
      ...query
    }: Omit<SearchOptions, "q"> & { signal?: AbortSignal } = {},
  ) =>
    call(address, "searchFiles", {
      params: { id },
      query: { ...query, q },
      ...(signal !== undefined && { signal }),
    }),
  /** Directories of the server's machine whose paths begin as `path` does, while somebody types it. */
  listDirectories: (
    query: Pick<DirectoriesQuery, "path"> & Partial<DirectoriesQuery>,
    { signal }: { signal?: AbortSignal } = {},
  ) =>
    call(address, "listDirectories", {
      query,
      ...(signal !== undefined && { signal }),
    }),
  gitStatus: (id: string) => call(address, "showGitStatus", { params: { id } }),
  gitDiff: (id: string, query: Given<"showGitDiff">["query"] = {}) =>
    call(address, "showGitDiff", { params: { id }, query }),
  gitLog: (id: string, query: Given<"showGitLog">["query"] = {}) =>
    call(address, "showGitLog", { params: { id }, query }),
  gitBranches: (id: string) =>
    call(address, "showGitBranches", { params: { id } }),
});

export type SearchOptions = NonNullable<Given<"searchFiles">["query"]>;
