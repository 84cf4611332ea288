import { type Client, ServerUnreachable } from "../../client/client.ts";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { comeBackCommand } from "../text/next-command.ts";
import type { World } from "../terminal/world.ts";

/** A server that is being replaced is back sooner; after this, a script must not hang any longer. */
const PATIENCE_MS = 120_000;

/** Gives every event to `see` until it says that this was the last one, or until Ctrl-C. */
export const watch = async (
  world: World,
  client: Client,
  { session, after }: { session: SessionId; after: number },
  see: (event: Event) => boolean | Promise<boolean>,
  /** Called before anything else is written: what moves on the terminal is taken away first. */
  clear: () => void = () => undefined,
): Promise<"done" | "detached"> => {
  const leave = new AbortController();
  const stopListening = world.onSignal(() => leave.abort());
  let isLost = false;
  const say = (words: string): void => {
    clear();
    world.err.write(world.json ? "" : `${world.err.palette.dim(words)}\n`);
  };
  try {
    const feed = client.follow(session, {
      after,
      signal: leave.signal,
      patience_ms: PATIENCE_MS,
      onLost: () => {
        if (!isLost)
          say("\n(the server is gone; the session goes on; trying again)");
        isLost = true;
      },
      onOpen: () => {
        if (isLost) say("(the server is back)");
        isLost = false;
      },
    });
    for await (const event of feed) if (await see(event)) return "done";
    say(
      `\nThe session goes on. Come back with \`${comeBackCommand(world.program, session)}\`.`,
    );
    return "detached";
  } catch (error) {
    if (!(error instanceof ServerUnreachable)) throw error;
    throw new ServerUnreachable(
      error.url,
      `${error.message} The session goes on where it was: come back with \`${comeBackCommand(world.program, session)}\`.`,
      error,
    );
  } finally {
    stopListening();
  }
};
