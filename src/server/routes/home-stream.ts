/** One stream over all sessions and tasks. */
import type { Context, Hono } from "hono";
import { StreamQuery } from "../../contract/api/request.ts";
import { routes } from "../../contract/api/route.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { eventStream, HEARTBEAT_MS } from "../answer/sse.ts";
import { tellBroken } from "../answer/tell-broken.ts";
import { query } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import { streamHeaders } from "./events.ts";

export const homeStreamRoutes = (
  app: Hono,
  operations: Operations,
  { closing, log }: { closing: AbortSignal; log: Log },
): void => {
  app.get(routes.streamHome.path, (c) => {
    const after = cursorOf(c);
    const stream = eventStream({
      follow: (signal) => operations.followHome(after, signal),
      jsonOf: (change) => JSON.stringify(change),
      until: [c.req.raw.signal, closing],
      heartbeatMs: HEARTBEAT_MS,
      failed: (err) => tellBroken(log, {}, err, "a stream broke"),
    });
    return new Response(stream, { headers: streamHeaders });
  });
};

/** How far the client came, where it says so: what it saw last counts more than the address that it was first given. */
const cursorOf = (c: Context): number | undefined => {
  const { after } = query(c, StreamQuery);
  const seen = c.req.header("last-event-id");
  if (seen === undefined || seen === "") return after;
  return parse(StreamQuery, { after: seen }, "Last-Event-ID").after;
};
