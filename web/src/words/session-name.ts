import type { Session } from "../../../src/contract/session/session.ts";
import { legibleName } from "./legible.ts";

/** So much of a prompt is a name. */
const MAX_NAME = 80;

/**
 * What a session is called, everywhere on the page: its name, else the first line of its first prompt. Sessions that an older
 * release has written last are called by what was said last in them.
 */
export const sessionName = ({
  id,
  name,
  first_prompt = null,
  last_words,
}: Pick<Session, "id" | "name" | "last_words"> &
  Partial<Pick<Session, "first_prompt">>): string => {
  const words = (first_prompt ?? last_words ?? "").trim();
  const [line = ""] = words.split("\n");
  const short = line.length > MAX_NAME ? `${line.slice(0, MAX_NAME)}…` : line;
  return legibleName(
    name ?? (short === "" ? `Session ${id.slice(-6)}` : short),
  );
};
