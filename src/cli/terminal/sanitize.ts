/**
 * What agents and users wrote is only text. Before it reaches a terminal, everything that a terminal would obey is
 * taken out: whole escape sequences vanish (colours, cursor moves, links, clipboard writes), any other control or
 * bidirectional character is shown as `\x1b` or `\u202e`. Newline and tab stay.
 */
export const sanitize = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(SEQUENCE, "")
    .replaceAll(/\r\n|[\u2028\u2029]/g, "\n")
    .replaceAll(OBEYED, shown);

/** The same on one line, for tables and titles. */
export const oneLine = (text: string): string =>
  sanitize(text).replaceAll(/\s+/g, " ").trim();

/** For text that arrives in pieces: a sequence that is cut by the end of a piece is recognised when the rest comes. */
export class StreamSanitizer {
  #unfinished = "";

  push(piece: string): string {
    const text = this.#unfinished + piece;
    const begun = UNFINISHED.exec(text)?.index ?? text.length;
    this.#unfinished = text.slice(begun);
    return sanitize(text.slice(0, begun));
  }

  /** What was held back for a rest that never came. */
  end(): string {
    const unfinished = this.#unfinished;
    this.#unfinished = "";
    return sanitize(unfinished);
  }
}

/** A value as JSON whose text a terminal does not obey either. Still the same value: only its spelling differs. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    OBEYED,
    (character) => `\\u${hex(character, 4)}`,
  );

// The grammar of ECMA-48, in its 7-bit and 8-bit spellings.
const CSI_BEGUN = String.raw`(?:\x1b\[|\x9b)[\x20-\x3f]{0,64}`;
const CSI = String.raw`${CSI_BEGUN}[\x40-\x7e]`;
/** Strings of OSC, DCS, SOS, PM and APC are bounded: a forgotten end must not swallow what follows. */
const STRING_BEGUN = String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,4096}`;
const STRING = String.raw`${STRING_BEGUN}(?:\x07|\x1b\\|\x9c)`;
const SHORT_BEGUN = String.raw`\x1b[\x20-\x2f]{0,4}`;
const SHORT = String.raw`${SHORT_BEGUN}[\x30-\x5a\x5c\x60-\x7e]`;
const SEQUENCE = new RegExp(`${CSI}|${STRING}|${SHORT}`, "g");

/** The beginning of a sequence at the end of a piece, of a CRLF, or of a character. */
const UNFINISHED = new RegExp(
  String.raw`(?:${CSI_BEGUN}|${STRING_BEGUN}\x1b?|${SHORT_BEGUN}|\r|[\ud800-\udbff])$`,
);

/** C0 without tab and newline, DEL, C1, and what turns the direction of writing. */
const OBEYED = /[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv;

const shown = (character: string): string =>
  character > "\xff" ? `\\u${hex(character, 4)}` : `\\x${hex(character, 2)}`;

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, "0");
