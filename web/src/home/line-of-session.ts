import type { Session } from "../../../src/contract/session/session.ts";
import type { SmallMark } from "../line/mark.ts";

const NONE: readonly SmallMark[] = [];

/** The newest marks of a session, where the server's lists tell them. */
export const lineOfSession = (
  session: Session & { line?: readonly SmallMark[] },
): readonly SmallMark[] => session.line ?? NONE;
