/** `*` stands for anything. Texts and patterns are compared in lower case; a pattern is prepared once for many texts. */
export interface Wildcard {
  isExact: boolean;
  first: string;
  middle: readonly string[];
  last: string;
  /** No shorter text is like it. */
  length: number;
}

export const wildcardOf = (pattern: string): Wildcard => {
  const text = pattern.toLowerCase();
  const [first = "", ...others] = text.split("*");
  const last = others.pop();
  return {
    isExact: last === undefined,
    first,
    middle: others.filter((piece) => piece !== ""),
    last: last ?? "",
    length: text.length - others.length - (last === undefined ? 0 : 1),
  };
};

/** Compared piece by piece, so that no pattern can take long. The text is in lower case. */
export const isLike = (
  { isExact, first, middle, last, length }: Wildcard,
  text: string,
): boolean => {
  if (isExact) return text === first;
  if (text.length < length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const piece of middle) {
    const at = text.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return text.length >= from + last.length;
};
