import type { DirectoriesQuery } from "../contract/api/directory-route.ts";
import { call, type Given, type Server } from "./call.ts";
import {
  fileContent,
  listFiles,
  readFile,
  type ReadFileOptions,
  writeFile,
  type WriteFileOptions,
} from "./workspace.ts";

/** What the client can do with the workspace of a session, whether its agent runs or not. */
export const workspaceMethods = (server: Server) => ({
  /** A page of a directory; the workspace itself unless a path is named. */
  listFiles: (
    id: string,
    path = "",
    page: { after?: string; limit?: number; signal?: AbortSignal } = {},
  ) => listFiles(server, id, path, page),
  /** At most 8 MiB of a file: `range` says where. Null where `ifNoneMatch` holds. */
  readFile: (id: string, path: string, options: ReadFileOptions = {}) =>
    readFile(server, id, path, options),
  /** A file of any size, piece by piece. */
  fileContent: (id: string, path: string, options?: { signal?: AbortSignal }) =>
    fileContent(server, id, path, options),
  /** Writes a file, whole or not at all. Directories on the way to it are made. */
  writeFile: (
    id: string,
    path: string,
    content: string | Blob | Uint8Array<ArrayBuffer>,
    options?: WriteFileOptions,
  ) => writeFile(server, id, path, content, options),
  /** Lines that fit a pattern; with `names` files by their paths, the best first. */
  searchFiles: (
    id: string,
    q: string,
    {
      signal,
      ...query
    }: Omit<SearchOptions, "q"> & { signal?: AbortSignal } = {},
  ) =>
    call(server, "searchFiles", {
      params: { id },
      query: { ...query, q },
      ...(signal !== undefined && { signal }),
    }),
  /** Directories whose paths begin as `path` does, while somebody types it: of the server's machine, or of a host. */
  listDirectories: (
    query: Pick<DirectoriesQuery, "path"> & Partial<DirectoriesQuery>,
    { signal }: { signal?: AbortSignal } = {},
  ) =>
    call(server, "listDirectories", {
      query,
      ...(signal !== undefined && { signal }),
    }),
  gitStatus: (id: string) => call(server, "showGitStatus", { params: { id } }),
  gitDiff: (id: string, query: Given<"showGitDiff">["query"] = {}) =>
    call(server, "showGitDiff", { params: { id }, query }),
  gitLog: (id: string, query: Given<"showGitLog">["query"] = {}) =>
    call(server, "showGitLog", { params: { id }, query }),
  gitBranches: (id: string) =>
    call(server, "showGitBranches", { params: { id } }),
});

export type SearchOptions = NonNullable<Given<"searchFiles">["query"]>;
