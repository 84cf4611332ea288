/**
 * The most text that one event, one message or one tool's shown output holds, in UTF-16 code units. A string has an end
 * (512 MiB in Node), and everybody who reads, sends or writes a message holds all of it.
 */
export const MAX_TEXT = 1024 * 1024;

/** How much of a text can be taken when there is so much room: no character is cut in two. */
export const fitting = (text: string, room: number): number => {
  if (text.length <= room) return text.length;
  const end = Math.max(0, room);
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
};

/** A text in pieces of at most `MAX_TEXT`; one piece when there is no text. */
export const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  let rest = text;
  do {
    const end = fitting(rest, MAX_TEXT);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  } while (rest !== "");
  return pieces;
};

const isHighSurrogate = (unit: number): boolean =>
  unit >= 0xd8_00 && unit <= 0xdb_ff;
