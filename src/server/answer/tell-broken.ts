import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";

/** A stream ended before its client left. That a session was removed, or that another server has it, is no fault. */
export const tellBroken = (
  log: Log,
  session: SessionId,
  err: unknown,
  words: string,
): void => {
  if (err instanceof RepriseError)
    log.info({ session_id: session, code: err.code }, words);
  else log.error({ err, session_id: session }, words);
};
