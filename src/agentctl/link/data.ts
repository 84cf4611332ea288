/** The streams beside a link: what a server may open, and what becomes of it. */
import type { WebSocket } from "ws";
import type { z } from "zod";
import type { SessionId, ShellId } from "../../contract/base/id.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import {
  type AbortCode,
  MAX_STREAMS,
  type StreamKind,
  streamKinds,
} from "../../contract/link/stream.ts";
import { hasErrno } from "../../kit/errno.ts";
import { type ByteStream, StreamAborted } from "../../streams/byte-stream.ts";
import { streamsOver } from "../../streams/socket.ts";
import type {
  StreamConnection,
  StreamHandler,
} from "../../streams/stream-connection.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { Transfers } from "../storage/transfers.ts";
import type { SearchPlace } from "../workspace/search/search.ts";
import { serveRead, serveSearch, serveWrite } from "./file-streams.ts";
import { serveShell } from "../shells/serve-shell.ts";
import type { HeldShell } from "../shells/held-shell.ts";

/** What streams are about. */
export interface StreamSubjects extends SearchPlace {
  transfers: Transfers;
  /** Refuses what is no shell of this session. */
  findShell: (
    session: SessionId,
    shell: ShellId,
  ) => Promise<HeldShell> | HeldShell;
}

/** `check` refuses who may not give orders any more. */
export const openData = (
  socket: WebSocket,
  { transfers, files, programs, findShell }: StreamSubjects,
  check: () => void,
): StreamConnection => {
  const serving = <P>(
    kind: StreamKind,
    schema: z.ZodType<P>,
    serve: (stream: ByteStream, params: P, from: number) => Promise<void>,
  ): [StreamKind, StreamHandler] => [
    kind,
    async (stream, { params, from }) => {
      try {
        check();
        const parsed = schema.safeParse(params);
        if (!parsed.success)
          throw new LinkError("invalid_params", parsed.error.message);
        await serve(stream, parsed.data, from);
      } catch (error) {
        throw aborted(error);
      }
    },
  ];
  return streamsOver(socket, {
    handlers: new Map<string, StreamHandler>([
      serving(
        "upload",
        streamKinds.upload,
        async (stream, { transfer }, from) => {
          if (from !== 0)
            throw new LinkError(
              "invalid_params",
              "an upload sends nothing back",
            );
          await transfers.take(transfer, stream);
        },
      ),
      serving(
        "download",
        streamKinds.download,
        async (stream, { transfer }, from) => {
          const content: AsyncIterable<Buffer> = await transfers.read(
            transfer,
            from,
          );
          for await (const piece of content) await stream.push(piece);
        },
      ),
      serving("read_file", streamKinds.read_file, (stream, order) =>
        serveRead(files, stream, order),
      ),
      serving("write_file", streamKinds.write_file, (stream, order) =>
        serveWrite(files, stream, order),
      ),
      serving("search", streamKinds.search, (stream, order) =>
        serveSearch({ files, programs }, stream, order),
      ),
      serving(
        "shell",
        streamKinds.shell,
        async (stream, { session_id, shell_id, after }) =>
          serveShell(await findShell(session_id, shell_id), stream, after),
      ),
    ]),
    maxStreams: MAX_STREAMS,
  });
};

const aborted = (error: unknown): StreamAborted => {
  if (error instanceof StreamAborted) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StreamAborted({ code: codeOf(error), message }, { cause: error });
};

const codeOf = (error: unknown): AbortCode => {
  if (hasErrno(error, "ENOSPC", "EDQUOT")) return "storage_full";
  return error instanceof LinkError
    ? (abortOfRefusal[error.code] ?? "internal")
    : "internal";
};

const abortOfRefusal: Partial<Record<LinkRefusal, AbortCode>> = {
  term_superseded: "superseded",
  invalid_params: "invalid_params",
  unknown_transfer: "unknown_transfer",
  unknown_shell: "unknown_shell",
};
