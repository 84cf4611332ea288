import type { Client } from "../../client/client.ts";
import type { Session } from "../../contract/session.ts";

/**
 * From where to follow a session as it stood: from its last event, or from the beginning of the turn in progress, so
 * that whoever joins late gets whole sentences and every question that waits.
 */
export const cursorOf = async (
  client: Client,
  session: Session,
): Promise<number> => {
  if (session.state !== "RUNNING") return session.last_seq;
  const { messages } = await client.listMessages(session.id);
  const beginning = messages.findLast(({ role }) => role === "user");
  // A message is named after the event that added it.
  const seq = Number(beginning?.id.slice("msg_".length) ?? Number.NaN);
  return seq <= session.last_seq ? seq - 1 : session.last_seq;
};
