/**
 * One command on a host:
 *
 *   ssh ──► what a profile prints ──► MARK ──► lines that a script of ours says ──► the stream of the link
 *    └── it ends before that: why, in words
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { within } from "../../kit/time/deadline.ts";
import { MARK } from "./scripts.ts";
import { SshStream } from "./ssh-stream.ts";

/** How it ended, and the last that it said about it. */
export interface SshEnd {
  /** Null: by a signal, or it could not be run. */
  code: number | null;
  words: string;
  /** That it could not be run. */
  error: Error | null;
}

/** A profile may print a greeting, not a book. */
const MAX_HEAD_BYTES = 256 * 1024;
const MAX_WORDS = 4000;
/** Of an ssh whose output has ended. */
const END_MS = 5000;

export class SshSession {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #chunks: AsyncIterator<Buffer>;
  #head: Buffer = Buffer.alloc(0);
  #words = "";
  #error: Error | null = null;
  #isTaken = false;
  readonly #exited: Promise<unknown>;

  constructor(args: readonly string[], env: Record<string, string>) {
    const child = spawn("ssh", args, {
      env,
      // Ctrl-C in the terminal of the server is the server's: it closes its links itself.
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.#chunks = child.stdout[Symbol.asyncIterator]();
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#words = (this.#words + text).slice(-MAX_WORDS);
    });
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      pipe.on("error", () => undefined);
    this.#exited = once(child, "close").catch((error: unknown) => {
      this.#error = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** The next line after MARK; null when it has ended without one. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#head.indexOf("\n");
      if (end >= 0) {
        const line = this.#head.subarray(0, end).toString();
        this.#head = this.#head.subarray(end + 1);
        return line.replace(/\r$/, "");
      }
      const next = await this.#chunks.next().catch(() => null);
      if (next === null || next.done === true) return null;
      this.#head = Buffer.concat([this.#head, next.value]);
      if (this.#head.length > MAX_HEAD_BYTES) return null;
    }
  }

  /** Skips what others print. False when it has ended without one. */
  async mark(): Promise<boolean> {
    for (let skipped = 0; skipped < MAX_HEAD_BYTES;) {
      const line = await this.line();
      if (line === null) return false;
      if (line.endsWith(MARK)) return true;
      skipped += line.length + 1;
    }
    return false;
  }

  /** All further bytes. Ending it ends ssh. */
  stream(): Duplex {
    this.#isTaken = true;
    return new SshStream(this.#child, this.#chunks, this.#head);
  }

  get input(): NodeJS.WritableStream {
    return this.#child.stdin;
  }

  /** What it has said about itself so far. */
  get words(): string {
    return this.#words.trim();
  }

  async ended(): Promise<SshEnd> {
    // A program that ssh has started for us may hold its pipes for longer.
    await within("the end of ssh", END_MS, this.#exited).catch(() =>
      this.kill(),
    );
    const { exitCode: code } = this.#child;
    return { code, words: this.words, error: this.#error };
  }

  /** Nobody uses it any more, unless by its stream. */
  release(): void {
    if (!this.#isTaken) this.kill();
  }

  kill(): void {
    this.#child.kill();
  }
}
