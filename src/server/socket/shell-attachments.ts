import type { WebSocket } from "ws";
import { encodeShellFrame } from "../../contract/api/shell/shell-frame.ts";
import { MAX_SHELL_INPUT } from "../../contract/api/shell/shell-method.ts";
import type { ShellId } from "../../contract/base/id.ts";
import type { ShellMessage } from "../../contract/link/shell-message.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { showable } from "../answer/problem.ts";
import type { AttachedShell } from "../ask/operations.ts";
import type { Outbox } from "./outbox.ts";

/** So much may wait for a shell that does not read what is typed. */
const MAX_WAITING = 256 * 1024;
/** Shells that one connection looks at. */
const MAX_ATTACHED = 32;

interface Attachment {
  shell: AttachedShell;
  /** Bytes that were typed and not taken. */
  waiting: number;
  typed: Promise<void>;
}

/** The shells one connection looks at, each at most once. */
export interface ShellAttachments {
  refuseMore(): void;
  begin(id: ShellId, shell: AttachedShell, after: number | null): void;
  type(id: ShellId, data: string, encoding: "utf8" | "base64"): void;
  end(id: ShellId): void;
  close(): void;
}

export const createShellAttachments = ({
  ws,
  outbox,
  log,
}: {
  ws: WebSocket;
  outbox: Outbox;
  log: Log;
}): ShellAttachments => {
  const attached = new Map<ShellId, Attachment>();

  const show = async (
    shell_id: ShellId,
    attachment: Attachment,
    after: number | null,
  ): Promise<void> => {
    const isCurrent = () => attached.get(shell_id) === attachment;
    let offset = after ?? 0;
    try {
      for await (const message of attachment.shell) {
        // Who reads slowly costs the window of one stream: agentctl waits, and the shell does not.
        if (outbox.isFull()) await outbox.room();
        if (!isCurrent()) return;
        outbox.send(encodeShellFrame({ shell_id, ...message }));
        offset = behind(message);
        if (message.kind === "ended") return;
      }
      throw new RepriseError(
        "agentctl_unavailable",
        "agentctl let go of the shell, which goes on. Attach again.",
      );
    } catch (error) {
      if (!isCurrent()) return;
      const { code, message } = showable(error, log);
      const why = { code, message };
      outbox.send(
        encodeShellFrame({ kind: "detached", shell_id, offset, why }),
      );
    } finally {
      if (isCurrent()) attached.delete(shell_id);
      attachment.shell.detach();
    }
  };

  const end = (id: ShellId): void => {
    const attachment = attached.get(id);
    attached.delete(id);
    attachment?.shell.detach();
  };

  return {
    refuseMore() {
      if (attached.size >= MAX_ATTACHED)
        throw new RepriseError(
          "too_many_shells",
          `This connection is attached to ${MAX_ATTACHED} shells. Detach from one of them first.`,
        );
    },
    begin(id, shell, after) {
      end(id);
      if (ws.readyState !== ws.OPEN) return shell.detach();
      const attachment = { shell, waiting: 0, typed: Promise.resolve() };
      attached.set(id, attachment);
      void show(id, attachment, after);
    },
    type(id, data, encoding) {
      const attachment = attached.get(id);
      if (attachment === undefined) throw notAttached(id);
      const bytes = Buffer.from(data, encoding);
      if (bytes.length > MAX_SHELL_INPUT) throw tooLong(bytes.length);
      if (attachment.waiting + bytes.length > MAX_WAITING) throw notReading();
      attachment.waiting += bytes.length;
      attachment.typed = attachment.typed
        .then(() => attachment.shell.type(bytes))
        // Whoever looks at it is told that it broke.
        .catch(() => undefined)
        .then(() => {
          attachment.waiting -= bytes.length;
        });
    },
    end,
    close() {
      for (const id of attached.keys()) end(id);
    },
  };
};

/** Where to go on. */
const behind = (message: ShellMessage): number =>
  message.kind === "output"
    ? message.offset + message.bytes.length
    : message.offset;

const notAttached = (id: ShellId): RepriseError =>
  new RepriseError(
    "shell_not_attached",
    `This connection is not attached to ${id}. Call session.shell.attach first; after \`ended\` nothing can be typed.`,
  );

const tooLong = (length: number): RepriseError =>
  new RepriseError(
    "invalid_request",
    `${length} bytes are more than the ${MAX_SHELL_INPUT} that may be typed at once. Send them in pieces.`,
  );

const notReading = (): RepriseError =>
  new RepriseError(
    "shell_not_reading",
    "What runs in the shell does not read what is typed, and so much waits for it that no more is taken. Send it again later.",
  );
