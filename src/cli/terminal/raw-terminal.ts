import type { ReadStream, WriteStream } from "node:tty";

/** A terminal of which every key is ours. */
export interface RawTerminal {
  size(): { cols: number; rows: number };
  write(bytes: Uint8Array | string): void;
  onKeys(listen: (bytes: Uint8Array) => void): void;
  onResize(listen: () => void): void;
  /** Puts it back as it was. May be called again. */
  restore(): void;
}

/** What programs may have switched on: the other screen, mouse, paste brackets, keypad; and the look and the cursor. */
const AS_IT_WAS =
  "\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m";

export const rawTerminal = (
  input: ReadStream,
  output: WriteStream,
): RawTerminal => {
  input.setRawMode(true);
  input.resume();
  const restore = (): void => {
    process.off("exit", restore);
    output.write(AS_IT_WAS);
    input.setRawMode(false);
    input.removeAllListeners("data");
    input.pause();
    output.removeAllListeners("resize");
  };
  // However this process ends, the person gets their terminal back.
  process.once("exit", restore);
  return {
    size: () => ({ cols: output.columns, rows: output.rows }),
    write: (bytes) => void output.write(bytes),
    onKeys: (listen) => void input.on("data", listen),
    onResize: (listen) => void output.on("resize", listen),
    restore,
  };
};
