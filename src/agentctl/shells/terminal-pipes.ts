import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { hasErrno } from "../../kit/errno.ts";
import type { ShellFiles } from "./shell-files.ts";

const AT_ONCE = 64 * 1024;

/** Our ends of the FIFOs of a shell. Each is open both ways, so that no end of the other side is an end of it. */
export class TerminalPipes {
  readonly #files: ShellFiles;
  readonly #stdin: Socket;
  readonly #stdout: Socket;
  readonly #onOutput: (bytes: Buffer) => void;

  constructor(files: ShellFiles, onOutput: (bytes: Buffer) => void) {
    this.#files = files;
    this.#onOutput = onOutput;
    this.#stdin = new Socket({
      fd: openBoth(files.stdin),
      readable: false,
      writable: true,
    });
    this.#stdout = new Socket({
      fd: openBoth(files.stdout),
      readable: true,
      writable: false,
    });
    for (const socket of [this.#stdin, this.#stdout]) {
      socket.on("error", () => socket.destroy());
      socket.unref();
    }
    this.#stdout.on("data", onOutput);
  }

  /** Resolves when the FIFO has taken it, or never will. */
  type(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdin.destroyed) return resolve();
      this.#stdin.once("close", resolve);
      this.#stdin.write(bytes, () => {
        this.#stdin.off("close", resolve);
        resolve();
      });
    });
  }

  pause(): void {
    this.#stdout.pause();
  }

  resume(): void {
    this.#stdout.resume();
  }

  /** The shell has ended: what it showed last is read, and the wrapper may go. */
  finish(): void {
    const left: unknown = this.#stdout.read();
    if (left instanceof Buffer) this.#onOutput(left);
    this.close();
    for (const bytes of leftIn(this.#files.stdout)) this.#onOutput(bytes);
    const done = openBoth(this.#files.done);
    try {
      writeSync(done, "\n");
    } finally {
      closeSync(done);
    }
  }

  close(): void {
    this.#stdin.destroy();
    this.#stdout.off("data", this.#onOutput);
    this.#stdout.destroy();
  }
}

const openBoth = (fifo: string): number =>
  openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);

/** What lies in a FIFO now. */
function* leftIn(fifo: string): Generator<Buffer> {
  const file = openBoth(fifo);
  try {
    for (;;) {
      const buffer = Buffer.alloc(AT_ONCE);
      const length = readSync(file, buffer);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } catch (error) {
    if (!hasErrno(error, "EAGAIN")) throw error;
  } finally {
    closeSync(file);
  }
}
