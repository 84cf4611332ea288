/** What somebody who is attached gets to see, and what they type. */
import {
  encodeShellMessage,
  type ShellMessage,
} from "../../contract/link/shell-message.ts";
import { MAX_PIECE } from "../../contract/link/stream.ts";
import type { ByteStream } from "../../streams/byte-stream.ts";
import type { HeldShell } from "./held-shell.ts";
import type { Size } from "./screen/screen-messages.ts";

/** Resolves when the shell has ended, or nobody looks any more. */
export const serveShell = async (
  shell: HeldShell,
  stream: ByteStream,
  after: number | null,
): Promise<void> => {
  const detached = Promise.withResolvers<"detached">();
  const typing = type(shell, stream);
  typing.then(
    () => detached.resolve("detached"),
    () => detached.resolve("detached"),
  );
  const send = (message: ShellMessage) =>
    stream.push(encodeShellMessage(message));
  await Promise.race([show(shell, send, after, detached.promise), typing]);
};

const type = async (shell: HeldShell, stream: ByteStream): Promise<void> => {
  for await (const bytes of stream) await shell.type(bytes);
};

/** Each reads at its own pace. Who is so far behind that it is not kept any more gets a new snapshot. */
const show = async (
  shell: HeldShell,
  send: (message: ShellMessage) => Promise<void>,
  after: number | null,
  detached: Promise<"detached">,
): Promise<void> => {
  const { scrollback } = shell;
  let at = after !== null && scrollback.canGoOnFrom(after) ? after : null;
  let told: Size = scrollback.size;
  while (!shell.isLeft) {
    if (at === null || !scrollback.keeps(at)) {
      const snapshot = await shell.snapshot();
      await send({ kind: "snapshot", ...snapshot });
      at = snapshot.offset;
      told = { cols: snapshot.cols, rows: snapshot.rows };
      continue;
    }
    const [resize] = scrollback.resizesBehind(at, told);
    const upTo = resize?.offset ?? scrollback.end;
    if (at < upTo) {
      const bytes = scrollback.read(at, Math.min(MAX_PIECE, upTo - at));
      await send({ kind: "output", offset: at, bytes });
      at += bytes.length;
      continue;
    }
    if (resize !== undefined) {
      await send({ kind: "resized", offset: at, ...resize.size });
      told = resize.size;
      continue;
    }
    if (shell.end !== null)
      return send({ kind: "ended", offset: at, end: shell.end });
    if ((await Promise.race([shell.changed(), detached])) === "detached")
      return;
  }
  // It was closed, and what was kept of it is gone.
  if (shell.end !== null)
    await send({
      kind: "ended",
      offset: at ?? scrollback.end,
      end: shell.end,
    });
};
