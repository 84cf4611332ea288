import type { Client } from "../../client/client.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Session } from "../../contract/session/session.ts";

/**
 * From where to follow a session as it stood: from its last event, or from the beginning of the turn in progress, so
 * that whoever joins late gets whole sentences and every question that waits. Of a turn that has said more than a page
 * holds, from the beginning of the page.
 */
export const cursorOf = async (
  client: Client,
  session: Session,
): Promise<number> => {
  if (session.state !== "RUNNING") return session.last_seq;
  const { messages } = await client.listMessages(session.id);
  const prompt = messages.findLast(({ role }) => role === "user");
  const seq = seqOf(prompt ?? messages[0]);
  return seq <= session.last_seq ? seq - 1 : session.last_seq;
};

/** A message is named after the event that added it. */
const seqOf = (message: Message | undefined): number =>
  Number(message?.id.slice("msg_".length) ?? Number.NaN);
