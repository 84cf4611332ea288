import type { Hono } from "hono";

const PATH = "/mcp";

/**
 * MCP over streamable HTTP: what it says in there is a protocol of its own. GET and DELETE belong to its older sessions, and
 * are refused by it.
 */
export const mcpRoutes = (
  app: Hono,
  answer: (request: Request) => Promise<Response>,
): void => {
  for (const method of ["POST", "GET", "DELETE"])
    app.on(method, PATH, (c) => answer(c.req.raw));
};
