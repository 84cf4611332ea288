import type { MiddlewareHandler } from "hono";
import type { Log } from "../../runtime/ports/home.ts";
import { isOpen } from "./open-addresses.ts";
import { strangerLog, type StrangerLimit } from "./stranger-log.ts";

/**
 * One line per change and per refusal at the door, but few for those who have no token: they could fill the disk.
 * Neither headers, queries nor bodies are logged: secrets live there.
 */
export const accessLog = (
  log: Log,
  closing: AbortSignal,
  limit?: StrangerLimit,
): MiddlewareHandler => {
  const ofStrangers = strangerLog(log, closing, limit);
  return async (c, next) => {
    const from = performance.now();
    await next();
    const { method, path } = c.req;
    const { status } = c.res;
    const ms = Math.round(performance.now() - from);
    const session_id = /\/(ses_[0-9a-z]{26})(?:\/|$)/.exec(path)?.[1];
    const facts = { method, path: path.slice(0, 200), status, ms, session_id };
    const isRead = method === "GET" || method === "HEAD";
    if (status === 401 || status === 403)
      ofStrangers(facts, "refused at the door");
    else if (isRead) return;
    else if (isOpen(path)) ofStrangers(facts, "request");
    else log.info(facts, "request");
  };
};
