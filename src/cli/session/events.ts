import type { Client } from "../../client/client.ts";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { command } from "../parsing/command.ts";
import { watch } from "../follow/watch.ts";
import { jsonLine } from "../terminal/sanitize.ts";
import { eventLine } from "../text/event-line.ts";
import type { World } from "../terminal/world.ts";
import { allEvents } from "./shared/all-events.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const events = command({
  name: "session events",
  summary: "Print the events of a session, one per line",
  about: "With --follow it goes on until the session has ended.",
  args: [sessionArgument],
  options: {
    after: {
      kind: "number",
      value: "SEQ",
      help: "only those after this one",
    },
    follow: { kind: "flag", help: "go on with those still to come" },
  },
  examples: [
    "reprise session events ses_01jm --after 120",
    "reprise session events ses_01jm --follow --json",
  ],
  exits: { 130: "stopped watching with Ctrl-C; the session goes on" },
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const after = options.after ?? 0;
    const session = options.follow ? await client.showSession(id) : null;
    if (session === null || isTerminal(session.state)) {
      await printStored(world, client, id, after);
      return 0;
    }
    let cursor = after;
    const left = await watch(world, client, { session: id, after }, (event) => {
      print(world, event);
      cursor = event.seq;
      return event.type === "session.ended";
    });
    // What was recorded together with the end.
    if (left === "done") await printStored(world, client, id, cursor);
    return left === "done" ? 0 : 130;
  },
});

const printStored = async (
  world: World,
  client: Client,
  id: SessionId,
  after: number,
): Promise<void> => {
  for await (const event of allEvents(client, id, after)) print(world, event);
};

const print = (world: World, event: Event): void =>
  world.out.write(
    `${world.json ? jsonLine(event) : eventLine(event, world.out)}\n`,
  );
