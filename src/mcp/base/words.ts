/** Text for models: short, on one line where it is quoted. */
const MAX_TEXT = 20_000;

/** The end of a long text, because a conclusion comes last. */
export const cutText = (text: string): string => {
  if (text.length <= MAX_TEXT) return text;
  const kept = text.slice(text.length - MAX_TEXT + 100).toWellFormed();
  return `[${text.length - kept.length} characters left out: get_conversation has them]\n${kept}`;
};

/** On one line, without characters that could pass for something else. */
export const oneLine = (text: string, max = 200): string => {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
};

/** A call as a model would make it. */
export const callOf = (name: string, args: Record<string, unknown>): string =>
  `${name} ${JSON.stringify(args)}`;

export const lines = (...all: readonly (string | null)[]): string =>
  all.filter((line) => line !== null && line !== "").join("\n");
