import type { Session } from "../../contract/session/session.ts";
import { oneLine } from "../terminal/sanitize.ts";

/** So much is kept of what was said last: what is that long was longer. */
const KEPT = 160;

/** The end of what was said last, from a whole word on and with a `…` where it does not begin with its beginning. */
export const lastWords = ({ last_words }: Session): string | null => {
  if (last_words === null) return null;
  const words = oneLine(last_words);
  return last_words.length < KEPT || words === ""
    ? words
    : `…${words.slice(words.indexOf(" ") + 1)}`;
};
