import { SerializeAddon } from "@xterm/addon-serialize";
import xterm from "@xterm/headless";
import { MAX_SHELL_SIDE } from "../../../contract/session/shell-size.ts";
import { boundCounts } from "../../../kit/data/bound-counts.ts";
import type { Size, Snapshot } from "./screen-messages.ts";
import { SequenceScanner } from "./sequence-scanner.ts";
import { TerminalModes } from "./terminal-modes.ts";

/** Lines above the screen that are kept. */
const SCROLLBACK = 1000;
/** More is not held back for the end of a sequence. */
const MAX_HELD = 256 * 1024;
/** A snapshot is this long, at most, unless the screen alone is longer: then it has no lines above it. */
const MAX_SNAPSHOT = 1024 * 1024;
const MAX_TITLE = 200;
/** How long a screen is drawn before another one may have its turn. */
const TURN_MS = 10;
/** So many bytes are drawn before the clock is looked at: they can make the terminal clear the largest screen 64 times. */
const PIECE = 128;
const NOTHING = new Uint8Array(0);

export interface ScreenListener {
  answer(text: string): void;
  title(title: string): void;
}

/** A terminal without a window: what a shell shows goes in, and at any time what is to be seen comes out. */
export class Screen {
  readonly #terminal: xterm.Terminal;
  readonly #serializer = new SerializeAddon();
  readonly #modes: TerminalModes;
  readonly #scanner = new SequenceScanner();
  /** Of the bytes that the terminal was shown. */
  #offset: number;
  /** Behind what is held: what was given and is left for another turn. */
  #rest: Uint8Array = NOTHING;
  /** Behind what was shown: the beginning of a sequence. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isReplaying = true;

  constructor(
    { cols, rows, offset }: Size & { offset: number },
    to: ScreenListener,
  ) {
    this.#offset = offset;
    this.#terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      logLevel: "off",
    });
    this.#terminal.loadAddon(this.#serializer);
    boundCounts(this.#terminal, MAX_SHELL_SIDE);
    this.#modes = new TerminalModes(this.#terminal);
    this.#terminal.onData((text) => {
      if (!this.#isReplaying) to.answer(text);
    });
    this.#terminal.onTitleChange((title) => {
      this.#modes.title = title.slice(0, MAX_TITLE);
      to.title(this.#modes.title);
    });
  }

  /** What was seen before: it stands for bytes that are counted already. */
  draw(bytes: Uint8Array): Promise<void> {
    return this.#show(bytes);
  }

  /** From now on questions of programs are answered. */
  goLive(): void {
    this.#isReplaying = false;
  }

  /** Draws for one turn. False when something is left for the next. */
  async write(bytes: Uint8Array): Promise<boolean> {
    this.#rest = joined([this.#rest, bytes]);
    await this.#takeTurn();
    return this.#rest.length === 0;
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
    this.#modes.resized();
  }

  async snapshot(last: boolean): Promise<Snapshot> {
    if (last) await this.#count(this.#takeHeld());
    const { cols, rows } = this.#terminal;
    const drawn = this.#serialize();
    const text = drawn + this.#modes.serialize();
    return {
      offset: this.#offset,
      cols,
      rows,
      bytes: new TextEncoder().encode(text),
    };
  }

  close(): void {
    this.#terminal.dispose();
  }

  #serialize(): string {
    for (const scrollback of [SCROLLBACK, SCROLLBACK / 10]) {
      const text = this.#serializeWith(scrollback);
      if (text.length <= MAX_SNAPSHOT) return text;
    }
    return this.#serializeWith(0);
  }

  /** The serializer begins the other screen with whatever look it left the first one in: that is taken back between them. */
  #serializeWith(scrollback: number): string {
    const whole = this.#serializer.serialize({ scrollback });
    if (this.#terminal.buffer.active.type === "normal") return whole;
    const first = this.#serializer.serialize({
      scrollback,
      excludeAltBuffer: true,
      excludeModes: true,
    });
    return `${first}\x1b[0m${whole.slice(first.length)}`;
  }

  /** What a terminal is given when it has just drawn something it draws at once. Anything else waits for a timer. */
  #takeTurn(): Promise<void> {
    const until = performance.now() + TURN_MS;
    return new Promise((resolve) => {
      const goOn = (): void => {
        const bytes = this.#nextPiece();
        if (bytes === null) return resolve();
        this.#terminal.write(bytes, () => {
          this.#offset += bytes.length;
          if (performance.now() >= until) resolve();
          else goOn();
        });
      };
      goOn();
    });
  }

  /** What may be shown next; null when there is nothing of that kind. */
  #nextPiece(): Uint8Array | null {
    while (this.#rest.length > 0) {
      const piece = this.#rest.subarray(0, PIECE);
      this.#rest = this.#rest.subarray(PIECE);
      const cut = this.#scanner.advance(piece);
      if (cut > 0) {
        const shown = joined([this.#takeHeld(), piece.subarray(0, cut)]);
        this.#hold(piece.subarray(cut));
        return shown;
      }
      this.#hold(piece);
      if (this.#heldBytes > MAX_HELD) return this.#takeHeld();
    }
    return null;
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #takeHeld(): Uint8Array {
    const held = joined(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  async #count(bytes: Uint8Array): Promise<void> {
    await this.#show(bytes);
    this.#offset += bytes.length;
  }

  #show(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first = NOTHING, ...more] = pieces.filter(({ length }) => length > 0);
  return more.length === 0 ? first : Buffer.concat(pieces);
};
