import type { WebSocket } from "ws";
import { eventJson } from "../../contract/event/event-json.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Log } from "../../runtime/ports/home.ts";
import type { Operations } from "../ask/operations.ts";
import { tellBroken } from "../answer/tell-broken.ts";
import type { Outbox } from "./outbox.ts";

const INTERNAL_ERROR = 1011;

/** The sessions one connection follows, each at most once. */
export interface Subscriptions {
  /** Events after `after` from now on; an earlier subscription to the same session ends. */
  open(session: SessionId, after: number): void;
  end(session: SessionId): void;
  close(): void;
}

export const createSubscriptions = ({
  ws,
  outbox,
  operations,
  log,
}: {
  ws: WebSocket;
  outbox: Outbox;
  operations: Pick<Operations, "follow">;
  log: Log;
}): Subscriptions => {
  const followed = new Map<SessionId, AbortController>();

  const follow = async (
    session: SessionId,
    after: number,
    signal: AbortSignal,
  ): Promise<void> => {
    for await (const batch of operations.follow(session, after, signal)) {
      for (const event of batch) {
        // A slow client costs one batch of memory for each of its subscriptions, not a backlog.
        if (outbox.isFull()) await outbox.room();
        if (signal.aborted) return;
        outbox.send(eventJson(event));
      }
      if (outbox.isFull()) await outbox.room();
    }
  };

  const end = (session: SessionId): void => {
    followed.get(session)?.abort();
    followed.delete(session);
  };

  return {
    open(session, after) {
      end(session);
      if (ws.readyState !== ws.OPEN) return;
      const stop = new AbortController();
      followed.set(session, stop);
      follow(session, after, stop.signal).catch((err: unknown) => {
        if (stop.signal.aborted) return;
        tellBroken(log, { session_id: session }, err, "a subscription broke");
        // Whoever follows must know that nothing more comes; it reconnects with its cursor.
        ws.close(INTERNAL_ERROR, "a subscription broke");
      });
    },
    end,
    close() {
      for (const session of followed.keys()) end(session);
    },
  };
};
