import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import { command } from "../parsing/command.ts";
import { jsonLine } from "../terminal/sanitize.ts";
import { ConversationText, type Mark } from "../text/conversation.ts";
import { isTurnEnd } from "../text/turn-end.ts";
import { isTurningPoint } from "../text/turning-point.ts";
import type { World } from "../terminal/world.ts";
import { allEvents } from "./shared/all-events.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

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
    if (world.json) await printDocument(world, client, id);
    else await printText(world, client, id);
    return 0;
  },
});

/** One document, written message by message: the conversation may be longer than a string can be. */
const printDocument = async (
  { out }: World,
  client: Client,
  id: SessionId,
): Promise<void> => {
  let before = '{"messages":[';
  for await (const message of client.allMessages(id)) {
    out.write(before + jsonLine(message));
    await out.drained();
    before = ",";
  }
  out.write(`${before === "," ? "" : before}],"next":null}\n`);
};

const printText = async (
  { out }: World,
  client: Client,
  id: SessionId,
): Promise<void> => {
  const text = new ConversationText(out.palette);
  const marks = new Marks(client, id);
  let isEmpty = true;
  for await (const message of client.allMessages(id)) {
    out.write(text.tell(message, await marks.before(seqOf(message))));
    await out.drained();
    isEmpty = false;
  }
  out.write(
    isEmpty
      ? "Nothing has been said yet.\n"
      : text.mark(await marks.before(Number.POSITIVE_INFINITY)),
  );
};

/** What stands between messages, read from the events along with them. */
class Marks {
  readonly #events: AsyncGenerator<Mark, void, undefined>;
  #next: Mark | null = null;

  constructor(client: Client, id: SessionId) {
    this.#events = marksOf(client, id);
  }

  /** Those since the last call that happened before an event. */
  async before(seq: number): Promise<Mark[]> {
    const marks: Mark[] = [];
    for (;;) {
      this.#next ??= (await this.#events.next()).value ?? null;
      if (this.#next === null || this.#next.seq > seq) return marks;
      marks.push(this.#next);
      this.#next = null;
    }
  }
}

async function* marksOf(
  client: Client,
  id: SessionId,
): AsyncGenerator<Mark, void, undefined> {
  for await (const event of allEvents(client, id))
    if (isTurnEnd(event) || isTurningPoint(event)) yield event;
}

/** A message is named after the event that added it. */
const seqOf = ({ id }: Message): number => Number(id.slice("msg_".length));
