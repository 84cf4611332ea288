/**
 * Streams of bytes between server and agentctl: binary frames over a second WebSocket (`/data`), beside the link.
 * The server opens streams; both sides may send on one. The frames are in `src/streams/frame.ts`.
 */
import * as z from "zod";
import { SessionId, ShellId, TransferId } from "../base/id.ts";
import { SearchOrder } from "./link-search.ts";
import { ReadFile, WriteFile } from "./link-files.ts";

/** Bytes in one data frame, at most. */
export const MAX_PIECE = 64 * 1024;
/** Bytes of any frame, at most. */
export const MAX_FRAME = MAX_PIECE + 64;
/** Streams that are open at the same time on one connection. */
export const MAX_STREAMS = 64;
/** Credit that a reader gives: so much of a stream waits in its memory, at most. */
export const STREAM_WINDOW = 1024 * 1024;

/** Why a stream ended before its end. */
export const AbortCode = z.enum([
  "unknown_kind",
  "invalid_params",
  "too_many_streams",
  "bad_offset",
  "credit_exceeded",
  "superseded",
  "unknown_transfer",
  "unknown_shell",
  "storage_full",
  "cancelled",
  "connection_lost",
  "internal",
]);
export type AbortCode = z.infer<typeof AbortCode>;

export const AbortReason = z.object({
  /** A newer peer may have reasons we do not know. */
  code: AbortCode.catch("internal"),
  message: z.string(),
});
export type AbortReason = z.infer<typeof AbortReason>;

/** What streams there are, and the parameters that open one. */
export const streamKinds = {
  /** The server sends a file. agentctl ends its half when it has all of it. */
  upload: z.object({ transfer: TransferId }),
  /** agentctl sends a file, from any offset on. */
  download: z.object({ transfer: TransferId }),
  /** agentctl sends what a file of a workspace is, and its bytes. */
  read_file: ReadFile,
  /** The server sends the content of a file of a workspace; agentctl answers when it is in place. */
  write_file: WriteFile,
  /**
   * agentctl sends what a shell shows (`shell-message.ts`), the server what is typed. `after` is how much of the shell's output
   * the server's client has; null where it has none. It is over for the server when it ends its half.
   */
  shell: z.object({
    session_id: SessionId,
    shell_id: ShellId,
    after: z.number().int().nonnegative().nullable(),
  }),
  /** agentctl answers with what it found. */
  search: SearchOrder,
} as const;
export type StreamKind = keyof typeof streamKinds;
