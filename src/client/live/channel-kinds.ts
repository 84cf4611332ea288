import type { HomeChange } from "../../contract/api/stream-route.ts";
import type { Event } from "../../contract/event/event.ts";
import { isRecord } from "../../kit/data/is-record.ts";
import { homeChanges, sessionEvents } from "../cursor.ts";
import type { ChannelKind } from "./channel.ts";

export const sessionChannel = (session_id: string): ChannelKind<Event> => ({
  sequence: sessionEvents,
  subscribe: {
    method: "session.subscribe",
    params: (after = 0) => ({ session_id, after }),
  },
  unsubscribe: { method: "session.unsubscribe", params: { session_id } },
  missing(result, after = 0) {
    // Older servers do not say how far the session is.
    const last = isRecord(result) ? result["last_seq"] : undefined;
    return typeof last === "number" ? Math.max(0, last - after) : 0;
  },
});

/** What changed is told once however often it changed: nobody knows how many changes are to come. */
export const homeChannel: ChannelKind<HomeChange> = {
  sequence: homeChanges,
  subscribe: {
    method: "sessions.subscribe",
    params: (after) => (after === undefined ? {} : { after }),
  },
  unsubscribe: { method: "sessions.unsubscribe", params: {} },
  missing: () => 0,
};
