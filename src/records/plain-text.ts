/**
 * What agents and people said is only text, also for whoever shows a file with `cat`: what a terminal would obey is
 * spelt out (`\x1b`, `\u202e`). Newline and tab stay.
 */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll(OBEYED, shown)
    .replaceAll(LIKE_A_HEADING, " [");

/** A value as JSON without such characters either. Still the same value: only its spelling differs. */
export const plainJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replaceAll(
    OBEYED,
    (character) => `\\u${hex(character, 4)}`,
  );

/** C0 without tab and newline, DEL, C1, and what turns the direction of writing. */
const OBEYED = /[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv;

/** A line that could be taken for the beginning of an entry of the log: it is set in by a space. */
const LIKE_A_HEADING = /^\[(?=\d{4}-\d\d-\d\dT)/gm;

const shown = (character: string): string =>
  character <= "\u00ff" ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`;

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, "0");
