import { open } from "node:fs/promises";
import type { ReportItem } from "../../../contract/link/report.ts";
import { type Line, LineSplitter } from "../../../kit/data/ndjson.ts";
import type { Fact } from "../journal/facts.ts";
import { Outbox } from "./outbox.ts";
import { MAX_READ, ReadSize } from "../../base/read-size.ts";

/**
 * Reports what the agent says and what is done for it, in one order, to whoever is attached.
 *
 *     lines as they are read ──┐ (live)
 *                               ├─► items ─► pending ─► one report in flight ─► acknowledged
 *     lines read again ─────────┘ (behind: after an attach, or when the server is slower than the agent)
 *
 * Nothing is kept for a server that is away: its words stand in the file, and are told again from where it asks.
 */
export class Reporter {
  readonly #source: Source;
  #send: SendReport | null = null;
  /** How far stdout has been read. */
  #readTo = 0;
  /** How far it has been reported, lines without an item included. */
  #position = 0;
  /** Where the last item's range ended: the next begins here. */
  #reported = 0;
  #facts: Fact[] = [];
  readonly #outbox = new Outbox();
  #number = 0;
  #inFlight: number | null = null;
  #readingAgain = false;
  #attachment = 0;

  constructor(source: Source, readTo: number) {
    this.#source = source;
    this.#readTo = readTo;
  }

  /** Tells everything from `from` on to `send`, and to nobody else. `before` is said first. Returns how to end that. */
  attach(
    send: SendReport,
    from: number,
    before: readonly ReportItem[],
    facts: readonly Fact[],
  ): () => void {
    this.detach();
    const attachment = this.#attachment;
    this.#send = send;
    this.#number = 0;
    this.#position = from;
    this.#reported = from;
    this.#facts = [...facts];
    for (const item of before) this.#outbox.push(item, FACT_BYTES);
    this.go();
    return () => {
      if (attachment === this.#attachment) this.detach();
    };
  }

  detach(): void {
    this.#attachment += 1;
    this.#send = null;
    this.#outbox.clear();
    this.#source.onRoom();
    this.#inFlight = null;
    this.#readingAgain = false;
  }

  /** Takes a line that was just heard. `go` follows when there are no more at the moment. */
  noteRead(line: Line): void {
    if (this.#isLive() && this.#outbox.hasRoom) this.#tell(line);
    this.#readTo = line.to;
  }

  /** Whether the next reports are full already. */
  get hasEnough(): boolean {
    return this.#outbox.hasEnough;
  }

  add(fact: Fact): void {
    if (this.#send === null) return;
    this.#facts.push(fact);
    this.go();
  }

  acknowledge(number: number): void {
    if (number !== this.#inFlight) return;
    this.#inFlight = null;
    this.go();
  }

  go(): void {
    if (this.#send === null) return;
    if (this.#isLive()) this.#tellFacts(this.#position);
    this.#report();
    if (!this.#isLive() && !this.#readingAgain && this.#outbox.hasRoom)
      void this.#readAgain();
  }

  #report(): void {
    if (this.#inFlight !== null || this.#outbox.isEmpty) return;
    this.#number += 1;
    this.#inFlight = this.#number;
    this.#send?.(this.#number, this.#outbox.take());
    if (!this.#outbox.hasEnough) this.#source.onRoom();
  }

  #isLive(): boolean {
    return (
      this.#send !== null &&
      !this.#readingAgain &&
      this.#position === this.#readTo
    );
  }

  #tell(line: Line): void {
    this.#tellFacts(line.from);
    const item = this.#source.tell(line);
    this.#position = line.to;
    if (item === null) return;
    if (item.range !== null) {
      item.range = { from: this.#reported, to: line.to };
      this.#reported = line.to;
    }
    this.#outbox.push(item, line.to - line.from);
  }

  #tellFacts(upTo: number): void {
    for (;;) {
      const [fact] = this.#facts;
      if (fact === undefined || fact.at > upTo) return;
      this.#facts.shift();
      this.#outbox.push(fact.item, FACT_BYTES);
    }
  }

  /** Goes through the file from where we are to where we have heard, as far as there is room. */
  async #readAgain(): Promise<void> {
    const attachment = this.#attachment;
    const start = this.#position;
    this.#readingAgain = true;
    const isCurrent = () => attachment === this.#attachment;
    await this.#readLines(isCurrent).catch((error: unknown) =>
      this.#source.onError(error),
    );
    if (!isCurrent()) return;
    this.#readingAgain = false;
    // A file that cannot be read any further is tried again with the next word, not in a loop.
    if (this.#isLive() || this.#position > start) this.go();
    else this.#report();
  }

  async #readLines(isCurrent: () => boolean): Promise<void> {
    const file = await open(this.#source.path, "r");
    try {
      const splitter = new LineSplitter(this.#position);
      const size = new ReadSize();
      const buffer = Buffer.allocUnsafe(MAX_READ);
      while (
        isCurrent() &&
        this.#position < this.#readTo &&
        this.#outbox.hasRoom
      ) {
        const { bytesRead } = await file.read(
          buffer,
          0,
          size.bytes,
          splitter.offset,
        );
        if (!isCurrent()) return;
        const rest = bytesRead === 0 ? splitter.rest() : null;
        if (bytesRead === 0 && rest === null) return;
        const lines = rest
          ? [rest]
          : splitter.push(buffer.subarray(0, bytesRead));
        size.learn(bytesRead, lines.length);
        for (const line of lines) if (line.to <= this.#readTo) this.#tell(line);
      }
    } finally {
      await file.close();
    }
  }
}

export type SendReport = (number: number, items: ReportItem[]) => void;

export interface Source {
  /** The agent's stdout. */
  path: string;
  /** What a line means to the server, or null when nothing. The item's range is the line's own. */
  tell(line: Line): ReportItem | null;
  /** More lines may come: there are not enough any more. */
  onRoom(): void;
  onError(error: unknown): void;
}

/** About what a fact takes in a report. */
const FACT_BYTES = 256;
