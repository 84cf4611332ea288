import type { MiddlewareHandler } from "hono";
import type { Log } from "../runtime/ports.ts";

/** One line per change and per refusal at the door. Neither headers, queries nor bodies are logged: secrets live there. */
export const accessLog =
  (log: Log): MiddlewareHandler =>
  async (c, next) => {
    const from = performance.now();
    await next();
    const { method, path } = c.req;
    const { status } = c.res;
    const ms = Math.round(performance.now() - from);
    const session_id = /\/(ses_[0-9a-z]{26})(?:\/|$)/.exec(path)?.[1];
    const facts = { method, path: path.slice(0, 200), status, ms, session_id };
    if (status === 401 || status === 403)
      log.warn(facts, "refused at the door");
    else if (method !== "GET" && method !== "HEAD") log.info(facts, "request");
  };
