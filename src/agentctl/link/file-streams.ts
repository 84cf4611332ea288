/** Files of workspaces on streams. What is sent back begins with an answer: see `contract/link/link-files.ts`. */
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkRefusal } from "../../contract/link/link.ts";
import type { ReadFile, WriteFile } from "../../contract/link/link-files.ts";
import { hasErrno } from "../../kit/errno.ts";
import { type ByteStream, StreamAborted } from "../../streams/byte-stream.ts";
import { answerBytes } from "../../streams/answer.ts";
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
