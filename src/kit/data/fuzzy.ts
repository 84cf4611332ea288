/**
 * How well a text fits what somebody types to find it. Each word of the query has to be found: at the beginning of the text,
 * at the beginning of a word, within a word, or as beginnings of several words (`prbox` for `prompt-box`). Pure, and the same
 * for the same input.
 */
export interface Fit {
  /** The higher, the better. Scores of one query can be compared with each other. */
  score: number;
  /** What fits, in order, by the characters (UTF-16) of the text. */
  ranges: readonly { start: number; end: number }[];
}

const AT_BEGINNING = 8;
const AT_WORD = 6;
const WITHIN = 4;
const BY_BEGINNINGS = 2;
/** A name counts for more than the directories that lead to it. */
const IN_NAME = 16;
/** Longer texts are looked at only so far. */
const MAX_TEXT = 400;
const MAX_WORDS = 8;

/** Null where it does not fit. An empty query fits everything, with nothing marked. */
export const fuzzyFit = (query: string, text: string): Fit | null => {
  const wanted = wordsOf(query);
  const shown = text.slice(0, MAX_TEXT);
  const lower = lowered(shown);
  let score = 0;
  const ranges: { start: number; end: number }[] = [];
  for (const word of wanted) {
    const fit = wordFit(word, shown, lower);
    if (fit === null) return null;
    score += fit.score;
    ranges.push(...fit.ranges);
  }
  return { score, ranges: merged(ranges) };
};

/** A path fits by its last name, or else by all of it. */
export const fuzzyPathFit = (query: string, path: string): Fit | null => {
  const from = path.lastIndexOf("/") + 1;
  const byName = fuzzyFit(query, path.slice(from));
  if (byName === null) return fuzzyFit(query, path);
  return {
    score: byName.score + IN_NAME,
    ranges: byName.ranges.map(({ start, end }) => ({
      start: start + from,
      end: end + from,
    })),
  };
};

/** What fits, best first; what fits equally well stays in its order. */
export const fuzzyRank = <T>(
  items: readonly T[],
  fitOf: (item: T) => Fit | null,
): { item: T; fit: Fit }[] =>
  items
    .flatMap((item) => {
      const fit = fitOf(item);
      return fit === null ? [] : [{ item, fit }];
    })
    .sort((a, b) => b.fit.score - a.fit.score);

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);

/** As long as the text itself: a few letters are longer in small. */
const lowered = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
};

const wordFit = (word: string, text: string, lower: string): Fit | null => {
  const first = lower.indexOf(word);
  if (first === -1) return byBeginnings(word, text, lower);
  for (let at = first; at !== -1; at = lower.indexOf(word, at + 1))
    if (isWordStart(text, at))
      return fitAt(at, word, at === 0 ? AT_BEGINNING : AT_WORD);
  return fitAt(first, word, WITHIN);
};

const fitAt = (start: number, word: string, score: number): Fit => ({
  score,
  ranges: [{ start, end: start + word.length }],
});

/** Each letter follows the one before, or begins a word further on. */
const byBeginnings = (
  word: string,
  text: string,
  lower: string,
): Fit | null => {
  if (word.length < 2 || !isInOrder(word, lower)) return null;
  const starts = startsOf(text);
  const dead = new Set<number>();
  const from = (letter: number, at: number): number[] | null => {
    if (letter === word.length) return [];
    const seen = letter * (MAX_TEXT + 1) + at;
    if (dead.has(seen)) return null;
    const places = [
      ...(letter > 0 ? [at] : []),
      ...starts.filter((start) => start > at || (letter === 0 && start === at)),
    ];
    for (const place of places) {
      if (lower[place] !== word[letter]) continue;
      const rest = from(letter + 1, place + 1);
      if (rest !== null) return [place, ...rest];
    }
    dead.add(seen);
    return null;
  };
  const places = from(0, 0);
  return places === null
    ? null
    : {
        score: BY_BEGINNINGS,
        ranges: places.map((start) => ({ start, end: start + 1 })),
      };
};

/** Most texts do not even have the letters: looking for words in them would cost most of the time. */
const isInOrder = (word: string, lower: string): boolean => {
  let at = -1;
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
};

const startsOf = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) =>
    isWordStart(text, at),
  );

/** Behind a space or a sign, at a capital letter in a word, at a number. */
const isWordStart = (text: string, at: number): boolean => {
  const [before = " ", here = " "] = [text[at - 1], text[at]];
  if (!/[\p{L}\p{N}]/u.test(here)) return false;
  return (
    !/[\p{L}\p{N}]/u.test(before) ||
    (/\p{Lu}/u.test(here) && /\p{Ll}/u.test(before)) ||
    (/\p{N}/u.test(here) && !/\p{N}/u.test(before))
  );
};

const merged = (
  ranges: readonly { start: number; end: number }[],
): { start: number; end: number }[] => {
  const all: { start: number; end: number }[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last !== undefined && range.start <= last.end)
      last.end = Math.max(last.end, range.end);
    else all.push({ ...range });
  }
  return all;
};
