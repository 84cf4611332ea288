import type { WebSocket } from "ws";
import { eventJson } from "../../contract/event/event-json.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { SocketNews } from "../../contract/api/socket.ts";
import type { Log } from "../../runtime/ports/home.ts";
import type { Operations } from "../ask/operations.ts";
import { tellBroken } from "../answer/tell-broken.ts";
import type { Outbox } from "./outbox.ts";

const INTERNAL_ERROR = 1011;

/** What one connection follows: sessions and the whole home, each at most once. */
export interface Subscriptions {
  /** Events after `after` from now on; an earlier subscription to the same session ends. */
  open(session: SessionId, after: number): void;
  end(session: SessionId): void;
  /** What changes in all sessions and tasks; an earlier subscription to it ends. */
  openHome(after: number | undefined): void;
  endHome(): void;
  close(): void;
}

/** Where the messages of one subscription come from. */
interface Feed<E> {
  follow(signal: AbortSignal): AsyncIterable<readonly E[]>;
  jsonOf(event: E): string;
  /** For the log, when it breaks. */
  facts: { session_id?: SessionId };
}

const HOME = "home";

export const createSubscriptions = ({
  ws,
  outbox,
  operations,
  log,
}: {
  ws: WebSocket;
  outbox: Outbox;
  operations: Pick<Operations, "follow" | "followHome">;
  log: Log;
}): Subscriptions => {
  const followed = new Map<SessionId | typeof HOME, AbortController>();

  const follow = async <E>(
    feed: Feed<E>,
    signal: AbortSignal,
  ): Promise<void> => {
    for await (const batch of feed.follow(signal)) {
      for (const event of batch) {
        // A slow client costs one batch of memory for each of its subscriptions, not a backlog.
        if (outbox.isFull()) await outbox.room();
        if (signal.aborted) return;
        outbox.send(feed.jsonOf(event));
      }
      if (outbox.isFull()) await outbox.room();
    }
  };

  const end = (what: SessionId | typeof HOME): void => {
    followed.get(what)?.abort();
    followed.delete(what);
  };

  const open = <E>(what: SessionId | typeof HOME, feed: Feed<E>): void => {
    end(what);
    if (ws.readyState !== ws.OPEN) return;
    const stop = new AbortController();
    followed.set(what, stop);
    follow(feed, stop.signal).catch((err: unknown) => {
      if (stop.signal.aborted) return;
      tellBroken(log, feed.facts, err, "a subscription broke");
      // Whoever follows must know that nothing more comes; it reconnects with its cursor.
      ws.close(INTERNAL_ERROR, "a subscription broke");
    });
  };

  return {
    open(session, after) {
      open(session, {
        follow: (signal) => operations.follow(session, after, signal),
        jsonOf: eventJson,
        facts: { session_id: session },
      });
    },
    end,
    openHome(after) {
      open(HOME, {
        follow: (signal) => operations.followHome(after, signal),
        jsonOf: (home) => JSON.stringify({ home } satisfies SocketNews),
        facts: {},
      });
    },
    endHome: () => end(HOME),
    close() {
      for (const what of followed.keys()) end(what);
    },
  };
};
