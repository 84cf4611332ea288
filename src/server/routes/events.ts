import type { Context, Hono } from "hono";
import { eventJson } from "../../contract/event/event-json.ts";
import { StreamQuery } from "../../contract/api/request.ts";
import { routes } from "../../contract/api/route.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { query, sessionId } from "../ask/ask.ts";
import { refuseCursor } from "../ask/cursor.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import { render } from "../answer/render.ts";
import { eventStream, HEARTBEAT_MS } from "../answer/sse.ts";
import { tellBroken } from "../answer/tell-broken.ts";

export const eventRoutes = (
  app: Hono,
  operations: Operations,
  { closing, log }: { closing: AbortSignal; log: Log },
): void => {
  const list = routes.listEvents;
  app.get(list.path, async (c) => {
    const { after, limit } = query(c, list.query);
    const events = await operations.listEvents(sessionId(c), after, limit);
    // A page may end early when events are large: only an empty one is the end.
    const { last_seq } = await operations.showSession(sessionId(c));
    const last = events.at(-1)?.seq ?? last_seq;
    return render(list, {
      events,
      next: last < last_seq ? String(last) : null,
    });
  });

  const messages = routes.listMessages;
  app.get(messages.path, async (c) => {
    const wanted = query(c, messages.query);
    return render(
      messages,
      await operations.listMessages(sessionId(c), wanted),
    );
  });

  const window = routes.showWindow;
  app.get(window.path, async (c) =>
    render(
      window,
      await operations.showWindow(sessionId(c), query(c, window.query)),
    ),
  );

  app.get(routes.streamEvents.path, async (c) => {
    const id = sessionId(c);
    const after = cursor(c);
    // An unknown session is a 404 and a cursor from elsewhere a 400, not a stream that breaks or stays silent.
    await refuseCursor(operations, id, after);
    const stream = eventStream({
      follow: (signal) => operations.follow(id, after, signal),
      jsonOf: eventJson,
      until: [c.req.raw.signal, closing],
      heartbeatMs: HEARTBEAT_MS,
      failed: (err) =>
        tellBroken(log, { session_id: id }, err, "a stream broke"),
    });
    return new Response(stream, { headers: streamHeaders });
  });
};

/** A browser that reconnects sends the address it was first given, and how far it came: the latter counts. */
export const cursor = (c: Context): number => {
  const { after = 0 } = query(c, StreamQuery);
  const seen = c.req.header("last-event-id");
  if (seen === undefined || seen === "") return after;
  const parsed = parse(StreamQuery, { after: seen }, "Last-Event-ID");
  return parsed.after ?? after;
};

export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
  // A stream ends with its connection, so that a server that stops need not wait for idle ones.
  connection: "close",
};
