/** Agents that call agents: who called, and how many calls led here. */
import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Call } from "./tool.ts";

/** At some depth it is a mistake. */
export const MAX_DEPTH = 5;

export interface Chain {
  /** The session whose agent calls, where it is one of this server. */
  calledBy: SessionId | null;
  depth: number;
}

/** What the caller was told counts, and what the journals say: whichever is deeper. */
export const chainOf = async ({
  door,
  caller,
}: Pick<Call, "door" | "caller">): Promise<Chain> => {
  const above = await sessionsAbove(
    door.client,
    caller.calledBy ?? door.calledBy,
  );
  return {
    calledBy: above[0] ?? null,
    depth: Math.max(door.depth, caller.depth, above.length),
  };
};

/** The session of the caller first, then the one that called it, and so on. */
const sessionsAbove = async (
  client: Client,
  from: SessionId | null,
): Promise<SessionId[]> => {
  const found: SessionId[] = [];
  for (let id = from; id !== null && found.length < MAX_DEPTH;) {
    const session = await sessionOrNull(client, id);
    if (session === null) break;
    found.push(session.id);
    id = session.called_by;
  }
  return found;
};

/** An agent may run in a session of another home: that one is not known here. */
const sessionOrNull = async (
  client: Client,
  id: SessionId,
): Promise<Session | null> => {
  try {
    return await client.showSession(id);
  } catch (error) {
    if (error instanceof RepriseError && error.code === "session_not_found")
      return null;
    throw error;
  }
};
