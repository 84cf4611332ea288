/** Interactive shells of a place, as the runtime sees them. */
import { LinkError } from "../../contract/link/link-error.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import {
  type ShellMessage,
  ShellMessages,
} from "../../contract/link/shell-message.ts";
import type { AbortCode } from "../../contract/link/stream.ts";
import type {
  AttachedShell,
  PlaceShells,
} from "../../runtime/ports/executors.ts";
import { type ByteStream, StreamAborted } from "../../streams/byte-stream.ts";
import { DATA_LOST, type DataLink } from "./data-link.ts";
import type { Link } from "./link.ts";
import { unavailable } from "./unavailable.ts";

/** Streams are for transfers too: so many shells are looked at over one link at the same time. */
const MAX_ATTACHED = 48;

export const shellsOver = (
  link: Pick<Link, "call">,
  data: DataLink,
): PlaceShells => {
  let attached = 0;
  return {
    open: async (order) => (await link.call("shell_open", order)).shell,
    list: async (session_id) =>
      (await link.call("shell_list", { session_id })).shells,
    resize: async (order) => (await link.call("shell_resize", order)).shell,
    close: async (order) => (await link.call("shell_close", order)).shell,
    endAll: async (session_id) =>
      void (await link.call("shell_end_all", { session_id })),
    attach: async (order) => {
      if (attached >= MAX_ATTACHED) throw unavailable(TOO_MANY);
      attached += 1;
      try {
        const stream = await data.open("shell", order);
        return attachedOver(stream, () => (attached -= 1));
      } catch (error) {
        attached -= 1;
        throw refused(error);
      }
    },
  };
};

const attachedOver = (
  stream: ByteStream,
  onOver: () => void,
): AttachedShell => ({
  async *[Symbol.asyncIterator](): AsyncGenerator<ShellMessage> {
    const messages = new ShellMessages();
    try {
      for await (const piece of stream)
        for (const message of messages.take(piece)) {
          if (message === null)
            throw new LinkError("internal", "agentctl sent what is no message");
          yield message;
        }
    } catch (error) {
      throw refused(error);
    } finally {
      onOver();
      stream.abort("cancelled", "nobody looks any more");
    }
  },
  type: async (bytes) => {
    try {
      await stream.push(bytes);
    } catch (error) {
      throw refused(error);
    }
  },
  detach: () => stream.abort("cancelled", "nobody looks any more"),
});

const refused = (error: unknown): unknown => {
  if (!(error instanceof StreamAborted)) return error;
  if (error.code === "connection_lost") return unavailable(DATA_LOST, error);
  if (error.code === "too_many_streams") return unavailable(TOO_MANY, error);
  return new LinkError(refusals[error.code] ?? "internal", error.message);
};

const TOO_MANY =
  "Too many shells are looked at over this server at the same time. Close some of the windows and try again";

const refusals: Partial<Record<AbortCode, LinkRefusal>> = {
  unknown_kind: "unknown_method",
  invalid_params: "invalid_params",
  superseded: "term_superseded",
  unknown_shell: "unknown_shell",
};
