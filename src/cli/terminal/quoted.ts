import { oneLine } from "./sanitize.ts";

/** One word of a shell's command line. It may come from an agent: it must not become more than a word. */
export const quoted = (word: string): string => {
  const clean = oneLine(word);
  return /^[\w.,:@/+=-]+$/.test(clean)
    ? clean
    : `'${clean.replaceAll("'", `'\\''`)}'`;
};
