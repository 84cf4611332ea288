/** The workspace of a session: its files, read and written over HTTP. */
import { encodePath } from "../contract/base/path-text.ts";
import { endpoint } from "../contract/api/route-table.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { MAX_READ_BYTES } from "../contract/base/file-limits.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../contract/session/workspace-file.ts";
import {
  type Server,
  authorization,
  parsed,
  read,
  send,
  target,
} from "./call.ts";
import { refusalOf } from "./refusal.ts";

/** Bytes of a file, and what it was when they were read. */
export interface ReadFile {
  bytes: Uint8Array;
  /** Where they begin in the file. */
  start: number;
  /** Of the whole file. */
  size: number;
  /** Names this state of the file: `ifMatch` and `ifNoneMatch` take it. */
  etag: string;
  /** The file begins with text in UTF-8. */
  text: boolean;
  modified_at: string;
}

export interface ReadFileOptions {
  /** The first byte and the last. A read tells at most 8 MiB, also where more is asked for. */
  range?: { first: number; last?: number };
  /** Refused with `precondition_failed` where the file is another by now. */
  ifMatch?: string;
  /** Answered with null where the file is still this one. */
  ifNoneMatch?: string;
  signal?: AbortSignal;
}

export interface WriteFileOptions {
  /** The etag that the file must have, or `*`: it must be there. */
  ifMatch?: string;
  /** There must be no such file yet. */
  isNew?: boolean;
  signal?: AbortSignal;
}

type Page = { after?: string; limit?: number; signal?: AbortSignal };

/** A page of a directory; the workspace itself unless a path is named. */
export const listFiles = async (
  server: Server,
  id: string,
  path = "",
  { signal, ...query }: Page = {},
): Promise<DirectoryPage> => {
  const directory = path === "" || path.endsWith("/") ? path : `${path}/`;
  const response = await send(
    server,
    fileUrl(server, id, directory, query),
    init(server, "GET", signal),
  );
  if (response.status !== endpoint("showFile").status)
    throw await refusalOf(server, response);
  const text = await read(server, response, signal);
  return parsed(server, "showFile", text);
};

/** At most 8 MiB of a file. Null where `ifNoneMatch` holds. */
export const readFile = async (
  server: Server,
  id: string,
  path: string,
  { range, ifMatch, ifNoneMatch, signal }: ReadFileOptions = {},
): Promise<ReadFile | null> => {
  const response = await send(
    server,
    fileUrl(server, id, path),
    init(server, "GET", signal, {
      ...(range && { range: `bytes=${range.first}-${range.last ?? ""}` }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
    }),
  );
  if (response.status === 304) return null;
  if (response.status !== 200 && response.status !== 206)
    throw await refusalOf(server, response);
  const { headers } = response;
  const etag = headers.get("etag");
  if (etag === null) {
    await response.body?.cancel();
    throw new RepriseError("not_a_file", `${path} is a directory.`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const [, start, size] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return {
    bytes,
    start: Number(start ?? 0),
    size: Number(size ?? bytes.length),
    etag,
    text: headers.get("content-type")?.startsWith("text/") === true,
    modified_at: new Date(headers.get("last-modified") ?? 0).toISOString(),
  };
};

/** The bytes of a file of any size, piece by piece. Refused with `precondition_failed` where it changes meanwhile. */
export async function* fileContent(
  server: Server,
  id: string,
  path: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array> {
  const more = signal === undefined ? {} : { signal };
  let etag: string | undefined;
  for (let at = 0; ;) {
    const range = { first: at, last: at + MAX_READ_BYTES - 1 };
    const piece = await readFile(server, id, path, {
      ...more,
      range,
      ...(etag !== undefined && { ifMatch: etag }),
    }).catch((error: unknown) => {
      // An empty file has no range at all.
      if (at === 0 && isUnsatisfiable(error)) return null;
      throw error;
    });
    if (piece === null) return;
    yield piece.bytes;
    etag = piece.etag;
    at += piece.bytes.length;
    if (at >= piece.size) return;
  }
}

const isUnsatisfiable = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "range_not_satisfiable";

/** Writes a file, whole or not at all. Directories on the way to it are made. */
export const writeFile = async (
  server: Server,
  id: string,
  path: string,
  content: string | Blob | Uint8Array<ArrayBuffer>,
  { ifMatch, isNew, signal }: WriteFileOptions = {},
): Promise<WrittenFile> => {
  const response = await send(server, fileUrl(server, id, path), {
    ...init(server, "PUT", signal, {
      "content-type": "application/octet-stream",
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(isNew === true && { "if-none-match": "*" }),
    }),
    body: content,
  });
  if (response.status !== endpoint("putFile").status)
    throw await refusalOf(server, response);
  const text = await read(server, response, signal);
  return parsed(server, "putFile", text);
};

const init = (
  server: Server,
  method: string,
  signal: AbortSignal | undefined,
  headers: Record<string, string> = {},
): RequestInit => ({
  method,
  headers: { ...authorization(server), ...headers },
  ...(signal !== undefined && { signal }),
});

/** A URL parser resolves `..` before anybody can refuse it. */
const fileUrl = (
  server: Server,
  id: string,
  path: string,
  query: Record<string, string | number | undefined> = {},
): URL => {
  if (path.split("/").includes(".."))
    throw new RepriseError(
      "path_invalid",
      "A path goes down only: none of its names is `..`.",
    );
  const route = endpoint("showFile").path.replace(":path", encodePath(path));
  return target(server, route, { params: { id }, query });
};
