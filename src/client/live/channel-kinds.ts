import * as z from "zod";
import type { HomeChange } from "../../contract/api/stream-route.ts";
import type { Event } from "../../contract/event/event.ts";
import { homeChanges, sessionEvents } from "../cursor.ts";
import type { ChannelKind } from "./channel.ts";

/** Older servers do not say how far the session is. */
const Subscribed = z.object({ last_seq: z.int().optional() });

export const sessionChannel = (session_id: string): ChannelKind<Event> => ({
  sequence: sessionEvents,
  subscribe: {
    method: "session.subscribe",
    params: (after = 0) => ({ session_id, after }),
  },
  unsubscribe: { method: "session.unsubscribe", params: { session_id } },
  missing(result, after = 0) {
    const { last_seq = after } = Subscribed.parse(result);
    return Math.max(0, last_seq - after);
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
