import { connect } from "../../../src/client/client.ts";
import type { Event } from "../../../src/contract/event/event.ts";
import type { Where, Witness } from "./witness.ts";

/** Follows by server-sent events, with the client everybody uses. */
export const followFeed = (
  where: Where,
  session: string,
  signal: AbortSignal,
  onEvent: (event: Event) => void = () => undefined,
  after = 0,
): Witness => {
  const witness: Witness = {
    name: "feed",
    after,
    events: [],
    connections: 0,
    complaints: [],
    done: Promise.resolve(),
  };
  witness.done = (async () => {
    const feed = connect(where).follow(session, {
      after,
      signal,
      retry: { first_ms: 20, most_ms: 300 },
      silence_ms: 20_000,
      onOpen: () => {
        witness.connections += 1;
      },
      // The client heals what a server does wrong; here it counts.
      onLost: (reason) => {
        if (String(reason).includes("came instead of"))
          witness.complaints.push(String(reason));
      },
    });
    try {
      for await (const event of feed) {
        witness.events.push(event);
        onEvent(event);
      }
    } catch (error) {
      witness.complaints.push(`the feed was refused: ${String(error)}`);
    }
  })();
  return witness;
};
