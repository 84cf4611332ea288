/**
 * What a shell shows, without the questions in it. A sequence is held back until it is known what it is.
 *
 *     ground ─ESC─► escape ─[─► csi ─last character─► ground
 *                     │  └─] P X ^ _─► a string ─BEL, ST─► ground
 *                     └─last character─► ground
 */
import {
  isQuestion,
  mayBeQuestion,
  type SequenceKind,
} from "./terminal-question.ts";

const ENQ = 0x05;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
/** What introduces the code points of C1 in UTF-8. */
const C1_LEAD = 0xc2;
/** Longer ones are not held: by then it is decided what becomes of them. */
const MAX_HELD = 4096;

const kinds = new Map<number, SequenceKind>([
  [0x5b, "csi"],
  [0x5d, "osc"],
  [0x50, "dcs"],
  [0x5f, "apc"],
  [0x58, "other"],
  [0x5e, "other"],
]);

export class ShellOutput {
  /** Null between sequences. */
  #kind: SequenceKind | null = null;
  /** The sequence so far, from its first byte on, and how many of its bytes introduce it. */
  #held: number[] = [];
  #introducer = 0;
  /** What becomes of a sequence that is too long to be held. */
  #fate: "held" | "passed" | "dropped" = "held";
  #isC1 = false;
  #isFullScreen = false;
  #out = new Uint8Array(0);
  #length = 0;

  /** Whether a program shows its own screen, as editors do, instead of lines below each other. */
  get isFullScreen(): boolean {
    return this.#isFullScreen;
  }

  /** A screen that is drawn anew: nothing of before counts. */
  restart(): void {
    this.#kind = null;
    this.#held = [];
    this.#isC1 = false;
    this.#isFullScreen = false;
  }

  /** What of these bytes, and of those that were held back, a terminal may be shown now. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#kind === null && !this.#isC1 && !bytes.some(isSpecial))
      return bytes;
    this.#out = new Uint8Array(bytes.length + this.#held.length + 1);
    this.#length = 0;
    for (const byte of bytes) this.#takeByte(byte);
    return this.#out.subarray(0, this.#length);
  }

  #takeByte(byte: number): void {
    if (this.#isC1) {
      this.#isC1 = false;
      if (byte >= 0x80 && byte <= 0x9f) return this.#takeC1(byte);
      this.#add(C1_LEAD);
    }
    if (byte === C1_LEAD) this.#isC1 = true;
    else if (byte === ESC) {
      this.#end();
      this.#begin("escape", ESC);
    } else if (byte === CAN || byte === SUB) {
      this.#release();
      this.#emit(byte);
    } else this.#add(byte);
  }

  #takeC1(byte: number): void {
    // ST ends a string, and 0x9a asks as ESC Z does.
    this.#end();
    const kind = kinds.get(byte - 0x40);
    if (kind !== undefined) this.#begin(kind, C1_LEAD, byte);
    else if (byte !== 0x9a) this.#emit(C1_LEAD, byte);
  }

  #begin(kind: SequenceKind, ...introducer: number[]): void {
    this.#kind = kind;
    this.#held = introducer;
    this.#introducer = introducer.length;
    this.#fate = "held";
  }

  /** A byte that begins no sequence. */
  #add(byte: number): void {
    const kind = this.#kind;
    if (kind === null) {
      if (byte !== ENQ) this.#emit(byte);
      return;
    }
    if (kind === "escape" && this.#held.length === 1) {
      const longer = kinds.get(byte);
      if (longer !== undefined) return this.#begin(longer, ESC, byte);
    }
    if (kind === "osc" && byte === BEL) return this.#end(byte);
    this.#hold(kind, byte);
    const isLast =
      (kind === "escape" && byte >= 0x30 && byte <= 0x7e) ||
      (kind === "csi" && byte >= 0x40 && byte <= 0x7e);
    if (isLast) this.#end();
  }

  #hold(kind: SequenceKind, byte: number): void {
    if (this.#fate === "passed") return this.#emit(byte);
    if (this.#fate === "dropped") return;
    this.#held.push(byte);
    if (this.#held.length <= MAX_HELD) return;
    const isDropped = mayBeQuestion(kind, this.#text);
    if (!isDropped) this.#emit(...this.#held);
    this.#fate = isDropped ? "dropped" : "passed";
    this.#held = [];
  }

  #end(terminator?: number): void {
    const kind = this.#kind;
    if (kind === null) return;
    const text = this.#text;
    const isDropped =
      this.#fate === "dropped" ||
      (this.#fate === "held" && isQuestion(kind, text));
    if (isDropped) {
      // Control characters inside of it have been carried out by then.
      if (kind === "csi") this.#emit(...this.#held.slice(2).filter(isControl));
      this.#kind = null;
      this.#held = [];
      return;
    }
    this.#note(kind, text);
    this.#release();
    if (terminator !== undefined) this.#emit(terminator);
  }

  #release(): void {
    if (this.#fate === "held") this.#emit(...this.#held);
    this.#kind = null;
    this.#held = [];
  }

  #note(kind: SequenceKind, text: string): void {
    if (kind === "escape" && text === "c") this.#isFullScreen = false;
    if (kind !== "csi") return;
    const [, numbers, last] = /^\?([\d;]+)([hl])$/.exec(text) ?? [];
    const isScreen = numbers?.split(";").some((each) => SCREENS.includes(each));
    if (isScreen === true) this.#isFullScreen = last === "h";
  }

  get #text(): string {
    const bytes = this.#held.slice(this.#introducer);
    const shown = this.#kind === "csi" ? bytes.filter(isNoControl) : bytes;
    return shown.map((byte) => String.fromCharCode(byte)).join("");
  }

  #emit(...bytes: readonly number[]): void {
    // What is held back goes out with the bytes that end it: there is room.
    this.#out.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}

/** The modes that show the other screen. */
const SCREENS: readonly string[] = ["47", "1047", "1049"];

const isSpecial = (byte: number): boolean =>
  byte === ESC || byte === ENQ || byte === C1_LEAD;
const isControl = (byte: number): boolean => byte < 0x20 && byte !== ENQ;
const isNoControl = (byte: number): boolean => byte >= 0x20 && byte !== 0x7f;
