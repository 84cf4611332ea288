import { setTimeout as pause } from "node:timers/promises";
import type { AgentStdin } from "../hold/stdin.ts";
import type { Outgoing } from "../../drivers/driver.ts";

/**
 * Sends messages to the agent, one at a time, by the newline rule:
 *
 *     sent ─► body ─► committed (flushed) ─► newline ─► written
 *
 * The newline is what makes the agent take the message, and it is not written before we know for ever that we will.
 */
export class Sender {
  readonly #stdin: AgentStdin;
  readonly #book: SendingBook;
  readonly #stallMs: number;
  readonly #queue: Outgoing[] = [];
  #number: number;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(
    stdin: AgentStdin,
    book: SendingBook,
    {
      stallMs,
      number,
      first,
    }: { stallMs: number; number: number; first?: () => Promise<void> },
  ) {
    this.#stdin = stdin;
    this.#book = book;
    this.#stallMs = stallMs;
    this.#number = number;
    if (first)
      this.#running = first()
        .catch(() => undefined)
        .then(() => this.#run());
  }

  queue(message: Outgoing): void {
    if (this.#closed) return;
    this.#queue.push(message);
    // In a later tick, so that `#running` is set before it can be cleared.
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  /** Resolves when the message at hand is finished; those behind it are not begun. */
  async drain(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    await this.#running;
  }

  close(): void {
    this.#closed = true;
    this.#queue.length = 0;
    this.#stdin.close();
  }

  async #run(): Promise<void> {
    for (
      let message = this.#queue.shift();
      message !== undefined;
      message = this.#queue.shift()
    )
      await this.#sendOne(message).catch((error: unknown) =>
        this.#giveUp(message, error),
      );
    this.#running = null;
  }

  /** What is in the FIFO of it must not become the beginning of the next message. */
  async #giveUp(message: Outgoing, error: unknown): Promise<void> {
    // A socket closed under a message is how the end of the agent looks from here.
    if (this.#closed) return;
    await this.#stdin.spoil().catch(() => undefined);
    this.#book.failed(message, error);
  }

  async #sendOne(message: Outgoing): Promise<void> {
    const number = (this.#number += 1);
    const body = Buffer.from(JSON.stringify(message.body));
    await this.#note(() => this.#book.sent(number, message));
    await this.#stdin.body(body, this.#stallMs, () =>
      this.#book.stalled(message),
    );
    await this.#note(() => this.#book.committed(number));
    await this.#stdin.newline();
    this.#book.written(number);
  }

  /** A step that cannot be written down on a full disk waits until there is room: the message is late, not lost. */
  async #note(write: () => void | Promise<void>): Promise<void> {
    for (;;)
      try {
        return await write();
      } catch (error) {
        if (!this.#book.mayWait(error)) throw error;
        await pause(AGAIN_MS, undefined, { ref: false });
        // Without its agent it must not be committed any more: nobody would take it.
        if (this.#closed) throw error;
      }
  }
}

const AGAIN_MS = 500;

/** Where the steps of sending are written down. */
export interface SendingBook {
  sent(number: number, message: Outgoing): void;
  committed(number: number): Promise<void>;
  /** Whether a step that could not be written down is worth another try. */
  mayWait(error: unknown): boolean;
  written(number: number): void;
  /** The agent does not read. Said once per message; the sending goes on. */
  stalled(message: Outgoing): void;
  /** The message was not taken. */
  failed(message: Outgoing, error: unknown): void;
}
