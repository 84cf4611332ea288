/** Files of workspaces on streams. What is sent back begins with an answer: see `contract/link/link-files.ts`. */
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import type { ReadFile, WriteFile } from "../../contract/link/link-files.ts";
import type { SearchOrder } from "../../contract/link/link-search.ts";
import { hasErrno } from "../../kit/errno.ts";
import { type ByteStream, StreamAborted } from "../../streams/byte-stream.ts";
import { answerBytes } from "../../streams/answer.ts";
import { search, type SearchPlace } from "../workspace/search/search.ts";
import type { WorkspaceFiles } from "../workspace/files/workspace-files.ts";

export const serveRead = async (
  files: WorkspaceFiles,
  stream: ByteStream,
  order: ReadFile,
): Promise<void> => {
  const opened = await files.open(order).catch(refusal);
  if ("error" in opened) return stream.push(answerBytes(opened));
  try {
    await stream.push(answerBytes({ result: opened.head }));
    for await (const piece of opened.content) await stream.push(piece);
  } finally {
    await opened.close();
  }
};

export const serveWrite = async (
  files: WorkspaceFiles,
  stream: ByteStream,
  order: WriteFile,
): Promise<void> => {
  const written = await files
    .put(order, stream)
    .then((result) => ({ result }))
    .catch(refusal);
  await stream.push(answerBytes(written));
};

/** Ends the search when the other side has aborted the stream. */
export const serveSearch = async (
  place: SearchPlace,
  stream: ByteStream,
  order: SearchOrder,
): Promise<void> => {
  const left = new AbortController();
  stream.untilOver().catch(() => left.abort());
  const found = await search(place, order, left.signal)
    .then((result) => ({ result }))
    .catch(refusal);
  await stream.push(answerBytes(found));
};

interface Refusal {
  error: { code: LinkRefusal; message: string };
}

const refusal = (error: unknown): Refusal => {
  // Whoever would be told is gone.
  if (error instanceof StreamAborted) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: codeOf(error), message } };
};

const codeOf = (error: unknown): LinkRefusal => {
  if (error instanceof LinkError) return error.code;
  return hasErrno(error, "ENOSPC", "EDQUOT") ? "storage_full" : "internal";
};
