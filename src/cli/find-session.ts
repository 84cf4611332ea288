import type { Client } from "../client/client.ts";
import { SessionId } from "../contract/id.ts";
import { RepriseError } from "../contract/problem.ts";
import type { Session } from "../contract/session.ts";
import { pages } from "./pages.ts";
import { UsageError } from "./usage-error.ts";

/** The session that is meant: a full id as it is, or the beginning of exactly one. */
export const findSession = async (
  client: Client,
  given: string,
): Promise<SessionId> => {
  const full = SessionId.safeParse(given);
  if (full.success) return full.data;
  const beginning = given.startsWith("ses_") ? given : `ses_${given}`;
  const matches: SessionId[] = [];
  if (/^ses_[0-9a-z]+$/.test(beginning))
    for await (const { id } of allSessions(client))
      if (id.startsWith(beginning)) matches.push(id);
  const [only, another] = matches;
  if (only === undefined)
    throw new RepriseError(
      "session_not_found",
      `There is no session "${given}". \`reprise session list\` shows all.`,
    );
  if (another !== undefined)
    throw new UsageError(
      `"${given}" is the beginning of ${matches.length} sessions:\n  ${matches.join("\n  ")}`,
    );
  return only;
};

export const allSessions = (
  client: Client,
  filter: { cwd?: string } = {},
): AsyncGenerator<Session> =>
  pages(async (after) => {
    const page = await client.listSessions({ ...filter, limit: 500, ...after });
    return { items: page.sessions, next: page.next };
  });
