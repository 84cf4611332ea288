/** How many columns a terminal gives a text: wide characters take two, combining ones none. */
export const width = (text: string): number => {
  let columns = 0;
  for (const { segment } of graphemesOf(text)) columns += wide(segment);
  return columns;
};

/** At most `columns` wide, with an ellipsis where something was cut. */
export const cut = (text: string, columns: number): string => {
  if (width(text) <= columns) return text;
  let shown = "";
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    used += wide(segment);
    if (used > columns - 1) break;
    shown += segment;
  }
  return columns < 1 ? "" : `${shown.trimEnd()}…`;
};

/** The same with its end kept: for what was said last, the last words say most. */
export const cutStart = (text: string, columns: number): string => {
  if (width(text) <= columns) return text;
  let shown = "";
  let used = 0;
  for (const { segment } of [...graphemesOf(text)].toReversed()) {
    used += wide(segment);
    if (used > columns - 1) break;
    shown = segment + shown;
  }
  return columns < 1 ? "" : `…${shown.trimStart()}`;
};

let segmenter: Intl.Segmenter | undefined;

/** Made when it is first needed: it takes longer than most commands. */
const graphemesOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
};

const wide = (grapheme: string): number => {
  if (/^[\p{Mark}\p{Format}]+$/u.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
};

const WIDE =
  /^[\p{Emoji_Presentation}\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\ufe0f/u;
