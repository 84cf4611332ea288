/** Files of workspaces over the streams beside a link, as the runtime sees them. */
import * as z from "zod";
import { LinkError } from "../../contract/link/link-error.ts";
import { LinkRefusal } from "../../contract/link/link-refusal.ts";
import {
  FileHead,
  type ReadFile,
  WriteAnswer,
  type WriteFile,
} from "../../contract/link/link-files.ts";
import type { SearchOrder } from "../../contract/link/link-search.ts";
import { SearchResult } from "../../contract/session/search.ts";
import type { WrittenFile } from "../../contract/session/workspace-file.ts";
import type {
  FileContent,
  WorkspaceFiles,
} from "../../runtime/ports/executors.ts";
import { readAnswer } from "../../streams/answer.ts";
import type { ByteStream } from "../../streams/byte-stream.ts";
import type { DataLink } from "./data-link.ts";
import type { Link } from "./link.ts";
import { refused } from "./refused-stream.ts";

export const filesOver = (
  link: Pick<Link, "call">,
  data: DataLink,
): WorkspaceFiles => ({
  list: (order) => link.call("list_files", order),
  directories: (order) => link.call("list_directories", order),
  read: (order) => read(data, order),
  status: (order) => link.call("git_status", order),
  diff: (order) => link.call("git_diff", order),
  log: (order) => link.call("git_log", order),
  branches: (order) => link.call("git_branches", order),
  search: (order, signal) => search(data, order, signal),
  put: (order, content) => write(data, order, content),
});

const read = async (data: DataLink, order: ReadFile): Promise<FileContent> => {
  const stream = await data.open("read_file", order).catch(refused);
  try {
    await stream.finish();
    const bytes = stream[Symbol.asyncIterator]();
    const { answer, rest } = await answered(FileHead, bytes);
    return {
      head: answer,
      content: contentOf(rest, bytes),
      close: () => void bytes.return(undefined),
    };
  } catch (error) {
    stream.abort("cancelled", "it is not read");
    return refused(error);
  }
};

async function* contentOf(
  first: Uint8Array,
  bytes: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    yield* bytes;
  } catch (error) {
    refused(error);
  }
}

/** The stream is open for as long as the answer is wanted. */
const search = async (
  data: DataLink,
  order: SearchOrder,
  signal: AbortSignal,
): Promise<SearchResult> => {
  signal.throwIfAborted();
  const stream = await data.open("search", order).catch(refused);
  const leave = (): void => stream.abort("cancelled", "nobody waits for it");
  signal.addEventListener("abort", leave, { once: true });
  try {
    const bytes = stream[Symbol.asyncIterator]();
    const { answer } = await answered(SearchResult, bytes);
    await stream.finish();
    return answer;
  } catch (error) {
    stream.abort("cancelled", "it is over");
    signal.throwIfAborted();
    return refused(error);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};

/** agentctl may refuse before it has all of it: then the rest is not sent. */
const write = async (
  data: DataLink,
  order: WriteFile,
  content: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> => {
  const stream = await data.open("write_file", order).catch(refused);
  const written = answered(WriteAnswer, stream[Symbol.asyncIterator]());
  const sent = send(stream, content);
  // Both are waited for below; the one that comes second may fail unheard.
  for (const each of [written, sent]) each.catch(() => undefined);
  try {
    const first = await Promise.race([
      written.then(() => "answered" as const),
      sent.then(() => "sent" as const),
    ]);
    if (first === "sent") await stream.finish();
    return (await written).answer;
  } catch (error) {
    stream.abort("cancelled", "it does not come to its end");
    return refused(error);
  }
};

const send = async (
  stream: ByteStream,
  content: AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of content) await stream.push(piece);
};

const Answer = z.union([
  z.object({ result: z.unknown() }),
  z.object({
    error: z.object({
      /** A newer agentctl may have reasons we do not know. */
      code: LinkRefusal.catch("internal"),
      message: z.string(),
    }),
  }),
]);

const answered = async <T>(
  schema: z.ZodType<T>,
  bytes: AsyncIterator<Uint8Array>,
): Promise<{ answer: T; rest: Uint8Array }> => {
  const read = await readAnswer(bytes);
  const answer = Answer.safeParse(read?.answer).data;
  if (answer !== undefined && "error" in answer)
    throw new LinkError(answer.error.code, answer.error.message);
  const result = schema.safeParse(answer?.result);
  if (read === null || !result.success)
    throw new LinkError("internal", "agentctl's answer cannot be read");
  return { answer: result.data, rest: read.rest };
};
