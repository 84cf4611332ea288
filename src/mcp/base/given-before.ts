/** Finds the session that a call gave its prompt to before: whoever repeats a call is answered from there. */
import type { Client } from "../../client/client.ts";
import { PromptId, type SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { allSessions } from "./find-session.ts";

/** No session has it, so that whatever is asked about it changes nothing. */
const NO_PROMPT = PromptId.parse("prm_00000000000000000000000000");

/** Whether something was asked of a session with this key. A key that was used is refused for any other request. */
export const wasGiven = async (
  client: Client,
  session: SessionId,
  key: string,
): Promise<boolean> => {
  try {
    await client.resolvePrompt(session, NO_PROMPT, "drop", { key });
    return false;
  } catch (error) {
    if (error instanceof RepriseError)
      return error.code === "idempotency_conflict";
    throw error;
  }
};

/** How long after a call it may be repeated without naming its session. */
const REPEATED_WITHIN_MS = 24 * 60 * 60 * 1000;

/** The session of a directory that was given a prompt with this key; null when none was, as far back as a call is repeated. */
export const givenBefore = async (
  client: Client,
  cwd: string,
  key: string,
): Promise<Session | null> => {
  const since = Date.now() - REPEATED_WITHIN_MS;
  for await (const session of allSessions(client, { cwd, order: "wish" })) {
    if (Date.parse(session.last_wish_at) < since) return null;
    if (session.task_id === null && (await wasGiven(client, session.id, key)))
      return client.showSession(session.id);
  }
  return null;
};
