/**
 * Which session is meant: a full id, the unique beginning of one, the id that the agent gave its own session, or a name. Each
 * way in which none can be meant has its own words.
 */
import type { Client } from "../../client/client.ts";
import { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { callOf, oneLine } from "./words.ts";

/** What a program writes that had no id to write. */
const NO_ID = /^(undefined|null|none|nan|\[object Object\])?$/i;
const MAX_ID = 1000;
/** So many of those that are meant are named. */
const MAX_NAMED = 10;

/** Resolves with the session as it stands, or throws a refusal with words for the caller. */
export const findSession = async (
  client: Client,
  given: string,
): Promise<Session> => {
  const text = given.trim();
  if (NO_ID.test(text) || text.length > MAX_ID || /\p{Cc}/u.test(text))
    throw new RepriseError(
      "invalid_id",
      `${JSON.stringify(oneLine(given, 80))} is not a session id. Give the sessionId that invoke_agent answered with (ses_…); list_sessions shows them.`,
    );
  const session =
    (await byId(client, text)) ??
    (await byBeginning(client, text)) ??
    (await byFilter(client, text, { resume_token: text })) ??
    (await byFilter(client, text, { name: text }));
  if (session === null)
    throw new RepriseError(
      "session_not_found",
      `There is no session "${oneLine(text, 80)}".`,
    );
  if (session.deleted_at !== null)
    throw new RepriseError(
      "session_deleted",
      `Session ${session.id} is in the trash.`,
    );
  return session;
};

const byId = async (client: Client, text: string): Promise<Session | null> => {
  const id = SessionId.safeParse(text);
  if (!id.success) return null;
  try {
    return await client.showSession(id.data);
  } catch (error) {
    if (error instanceof RepriseError && error.code === "session_not_found")
      return null;
    throw error;
  }
};

const MAY_BEGIN_AN_ID = /^(ses_)?[0-9a-hjkmnp-tv-z]{4,25}$/;

const byBeginning = async (
  client: Client,
  text: string,
): Promise<Session | null> => {
  if (!MAY_BEGIN_AN_ID.test(text)) return null;
  const prefix = text.startsWith("ses_") ? text : `ses_${text}`;
  return byFilter(client, text, { prefix });
};

const byFilter = async (
  client: Client,
  text: string,
  filter: { prefix: string } | { resume_token: string } | { name: string },
): Promise<Session | null> => {
  const found: Session[] = [];
  for (const deleted of [false, true]) {
    const page = await client.listSessions({
      ...filter,
      deleted,
      limit: MAX_NAMED,
    });
    found.push(...page.sessions);
  }
  return onlyOne(client, text, found);
};

/** Those in the trash are meant only where no other is. */
const onlyOne = async (
  client: Client,
  text: string,
  found: readonly Session[],
): Promise<Session | null> => {
  const live = found.filter(({ deleted_at }) => deleted_at === null);
  const [only, ...others] = live.length > 0 ? live : found;
  if (only === undefined) return null;
  if (others.length === 0) return client.showSession(only.id);
  const ids = [only, ...others].map(({ id }) => id);
  const count = ids.length < MAX_NAMED ? ids.length : `${MAX_NAMED} and more`;
  throw new RepriseError(
    "invalid_id",
    `"${oneLine(text, 80)}" may mean ${count} sessions: ${ids.join(", ")}. Give the whole id of one.`,
  );
};

/** Refuses a session that this agent cannot be given a prompt in. */
export const requireContinuable = (session: Session, agent: string): void => {
  if (session.agent !== agent)
    throw new RepriseError(
      "invalid_request",
      `Session ${session.id} belongs to the agent "${session.agent}", not to "${oneLine(agent, 64)}". Give agentName "${session.agent}" to continue it, or leave continueSessionId out to start a session of "${oneLine(agent, 64)}".`,
    );
  if (isTerminal(session.state))
    throw new RepriseError(
      "invalid_request",
      `Session ${session.id} has ended (${session.state}) and takes no more prompts. ${callOf("fork_session", { sessionId: session.id })} makes a session that goes on from it; continue that one.`,
    );
};
