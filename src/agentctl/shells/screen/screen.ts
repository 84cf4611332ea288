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
  /** Behind them: the beginning of a sequence. */
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

  async write(bytes: Uint8Array): Promise<void> {
    const cut = this.#scanner.advance(bytes);
    if (cut > 0) {
      await this.#showHeld();
      await this.#count(bytes.subarray(0, cut));
    }
    this.#hold(bytes.subarray(cut));
    if (this.#heldBytes > MAX_HELD) await this.#showHeld();
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
    this.#modes.resized();
  }

  async snapshot(last: boolean): Promise<Snapshot> {
    if (last) await this.#showHeld();
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

  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  async #showHeld(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const bytes of held) await this.#count(bytes);
  }

  async #count(bytes: Uint8Array): Promise<void> {
    await this.#show(bytes);
    this.#offset += bytes.length;
  }

  #show(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }
}
