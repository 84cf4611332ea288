/** The line of a session, folded here from all its events. */
import type { Client } from "../../../src/client/client.ts";
import type { LineAnswer } from "../../../src/contract/session/line.ts";
import { evolveLine, initialLine } from "../../../src/session/line/line.ts";
import { answerOf } from "../../../src/session/line/marks.ts";

export const readLine = async (
  client: Pick<Client, "listEvents">,
  id: string,
): Promise<LineAnswer> => {
  let line = initialLine;
  for (;;) {
    const { events, next } = await client.listEvents(id, { after: line.seq });
    for (const event of events) line = evolveLine(line, event);
    if (next === null || events.length === 0) return answerOf(line);
  }
};
