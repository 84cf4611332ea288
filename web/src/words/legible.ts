/** What would hide, move or turn round the text beside it: control characters but tab and newline, and marks of direction. */
const HIDDEN = /[^\P{Cc}\t\n]|\p{Bidi_Control}|[\u2028\u2029]/gu;

/** A text of somebody else's, in which nothing is hidden: `\u202e` stands where it is written. */
export const legible = (text: string): string =>
  text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
  });

/** Longer names are cut off. */
const MAX_NAME = 200;

/** A path is told whole: no system has longer ones. */
export const MAX_PATH = 4_096;

/** The same in one line, for names and titles. */
export const legibleName = (text: string, most = MAX_NAME): string => {
  const line = text
    .slice(0, most + 1)
    .replaceAll(/\s+/g, " ")
    .trim();
  return legible(line.length > most ? `${line.slice(0, most)}…` : line);
};
