import type { Session } from "../../../src/contract/session/session.ts";

/** What a session is called: its name, else what was said last in it, else the end of its id. */
export const sessionName = ({
  id,
  name,
  last_words,
}: Pick<Session, "id" | "name" | "last_words">): string =>
  name ?? last_words ?? `Session ${id.slice(-6)}`;
