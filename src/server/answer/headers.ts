import type { MiddlewareHandler } from "hono";

/**
 * On every answer. Nothing is ever allowed to another origin: there is no CORS header here, and there never will be.
 * What agents wrote comes out as JSON or plain text that no browser may take for a page.
 */
export const answerHeaders =
  (closing: AbortSignal): MiddlewareHandler =>
  async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(always)) c.header(name, value);
    // Connections must not outlive the answers that were under way when the server began to stop.
    if (closing.aborted) c.header("connection", "close");
  };

const always = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
