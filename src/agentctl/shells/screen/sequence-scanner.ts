/**
 * Finds where the output of a terminal may be cut: behind a control character or a whole escape sequence. A terminal that
 * is drawn anew there and shown the rest is the same as one that was shown everything. Behind a letter it is not: what
 * follows may be combined with it, or repeat it.
 *
 *     ground ─ESC─► escape ─[─► csi ─final─► ground
 *                     │  └─] P X ^ _─► string ─BEL, ST─► ground
 *                     └─final─► ground
 */
type State = "ground" | "escape" | "csi" | "osc" | "string";

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** What introduces the code points of C1 in UTF-8. */
const C1_LEAD = 0xc2;
const CSI = 0x9b;
const OSC = 0x9d;
const ST = 0x9c;
/** DCS, SOS, PM and APC. */
const C1_STRINGS: readonly number[] = [0x90, 0x98, 0x9e, 0x9f];
const ESCAPED_STRINGS: readonly number[] = [0x50, 0x58, 0x5e, 0x5f];

export class SequenceScanner {
  #state: State = "ground";
  #isC1 = false;

  /** How many of these bytes may be shown before a cut, 0 where there is no place for one. They follow those of the last call. */
  advance(bytes: Uint8Array): number {
    let cut = 0;
    for (let at = 0; at < bytes.length; at++)
      if (this.#take(bytes[at] ?? 0)) cut = at + 1;
    return cut;
  }

  /** Whether a cut is possible behind this byte. */
  #take(byte: number): boolean {
    const isC1 = this.#isC1 && byte >= 0x80 && byte <= 0x9f;
    this.#isC1 = byte === C1_LEAD;
    if (isC1) return this.#takeC1(byte);
    if (byte === ESC) {
      this.#state = "escape";
      return false;
    }
    if (byte === CAN || byte === SUB) return this.#end();
    switch (this.#state) {
      case "ground":
        return byte < 0x20 || byte === 0x7f;
      case "escape":
        return this.#takeEscaped(byte);
      case "csi":
        return byte >= 0x40 && byte <= 0x7e && this.#end();
      case "osc":
        return byte === BEL && this.#end();
      case "string":
        return false;
    }
  }

  #takeEscaped(byte: number): boolean {
    if (byte === 0x5b) this.#state = "csi";
    else if (byte === 0x5d) this.#state = "osc";
    else if (ESCAPED_STRINGS.includes(byte)) this.#state = "string";
    else return byte >= 0x30 && byte <= 0x7e && this.#end();
    return false;
  }

  #takeC1(byte: number): boolean {
    if (byte === CSI) this.#state = "csi";
    else if (byte === OSC) this.#state = "osc";
    else if (C1_STRINGS.includes(byte)) this.#state = "string";
    else if (byte === ST) return this.#end();
    else return this.#state === "ground";
    return false;
  }

  #end(): true {
    this.#state = "ground";
    return true;
  }
}
