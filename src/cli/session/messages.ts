import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/id.ts";
import { command } from "../command.ts";
import { answer } from "../print.ts";
import { conversation } from "../text/conversation.ts";
import { type TurnEnd, isTurnEnd } from "../text/turn-end.ts";
import { type TurningPoint, isTurningPoint } from "../text/turning-point.ts";
import { allEvents } from "./all-events.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const messages = command({
  name: "session messages",
  summary: "Print the conversation",
  about:
    "Of what a tool gave, the first lines; with --json all of it. Turns that did not complete say how they ended; a rewind and a handoff stand where they happened.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session messages ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const page = await client.listMessages(id);
    const marks = world.json ? [] : await marksOf(client, id);
    answer(world, page, () =>
      conversation(page.messages, marks, world.out.palette),
    );
    return 0;
  },
});

const marksOf = async (
  client: Client,
  id: SessionId,
): Promise<(TurnEnd | TurningPoint)[]> => {
  const marks: (TurnEnd | TurningPoint)[] = [];
  for await (const event of allEvents(client, id))
    if (isTurnEnd(event) || isTurningPoint(event)) marks.push(event);
  return marks;
};
