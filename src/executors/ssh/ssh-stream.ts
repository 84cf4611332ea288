/** The two pipes of an ssh process as one stream, which ends at once when the process does. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Duplex } from "node:stream";

export class SshStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #chunks: AsyncIterator<Buffer>;
  /** Was read, and is not ours to keep. */
  #first: Buffer;

  constructor(
    child: ChildProcessWithoutNullStreams,
    chunks: AsyncIterator<Buffer>,
    first: Buffer,
  ) {
    super({ allowHalfOpen: false });
    this.#child = child;
    this.#chunks = chunks;
    this.#first = first;
    // Whoever uses it hears of its end by `close`.
    this.on("error", () => undefined);
    if (child.exitCode !== null || child.signalCode !== null) this.destroy();
    child.once("exit", () => this.destroy());
  }

  override _read(): void {
    if (this.#first.length > 0) {
      const first = this.#first;
      this.#first = Buffer.alloc(0);
      this.push(first);
      return;
    }
    this.#chunks.next().then(
      ({ done, value }) => this.push(done ? null : value),
      () => this.destroy(),
    );
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    written: (error?: Error | null) => void,
  ): void {
    this.#child.stdin.write(chunk, written);
  }

  override _final(ended: () => void): void {
    this.#child.stdin.end(ended);
  }

  override _destroy(
    error: Error | null,
    destroyed: (error?: Error | null) => void,
  ): void {
    this.#child.kill();
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    destroyed(error);
  }
}
