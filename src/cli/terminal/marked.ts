import { sanitize } from "./sanitize.ts";

/** Clean text with a mark before every line, so that no text passes for somebody else's, or for ours. */
export const marked = (mark: string, text: string): string =>
  sanitize(text)
    .trimEnd()
    .split("\n")
    .map((line) => mark + line)
    .join("\n");
