/**
 * Messages as lines on standard input and output. Unlike the transport of the SDK it answers lines that are no messages, where
 * its client would wait for ever, and stays open after one that is too long.
 */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { LineSplitter, MAX_LINE_BYTES } from "../kit/data/ndjson.ts";
import { type Read, readMessage, refused } from "./read-message.ts";

export class StdioTransport implements Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #input = process.stdin;
  readonly #output = process.stdout;
  readonly #lines = new LineSplitter(0);
  #isClosed = false;

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    for (const ending of ["end", "close", "error"])
      this.#input.once(ending, this.#ended);
    // A client that reads no more has left.
    this.#output.on("error", this.#ended);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #ended = (): void => void this.close();

  readonly #take = (chunk: Buffer): void => {
    for (const { bytes, cut } of this.#lines.push(chunk)) {
      const text = bytes.toString();
      if (cut) this.#handle(TOO_LONG);
      else if (text.trim() !== "") this.#handle(readMessage(text));
    }
  };

  #handle(read: Read): void {
    if (read.kind === "message") this.onmessage?.(read.message);
    if (read.kind === "refused")
      void this.#write(read.answer).catch(() => undefined);
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }
}

const TOO_LONG = refused(
  null,
  INVALID_REQUEST,
  `A message may have at most ${MAX_LINE_BYTES} bytes.`,
);
