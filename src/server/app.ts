import { Hono, type MiddlewareHandler } from "hono";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Log } from "../runtime/ports/home.ts";
import { accessLog } from "./door/access-log.ts";
import { type Door, refuseForeign, requireToken } from "./door/door.ts";
import { isOpen } from "./door/open-addresses.ts";
import { problemResponse, showable } from "./answer/problem.ts";
import { type PageParts, pageRoutes } from "./page/page-routes.ts";
import { agentRoutes } from "./routes/agents.ts";
import { archiveRoutes } from "./routes/archives.ts";
import { checkpointRoutes } from "./routes/checkpoints.ts";
import { shellRoutes } from "./routes/shells.ts";
import { diskRoutes } from "./routes/disk.ts";
import { eventRoutes } from "./routes/events.ts";
import { findRoutes } from "./routes/find.ts";
import { homeStreamRoutes } from "./routes/home-stream.ts";
import { healthRoutes } from "./routes/health.ts";
import { lineRoutes } from "./routes/line.ts";
import { mcpRoutes } from "./routes/mcp.ts";
import { permissionRoutes } from "./routes/permissions.ts";
import { promptRoutes } from "./routes/prompts.ts";
import { runRoutes } from "./routes/run.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { agreementRoutes } from "./routes/agreements.ts";
import { workspaceRoutes } from "./routes/workspace.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { SOCKET_PATH } from "./socket/socket.ts";

export interface AppParts extends PageParts {
  /** Aborted when the server begins to stop: streams end. */
  closing: AbortSignal;
  log: Log;
  /** Answers what comes to `/mcp`, once it is through the door. */
  mcp?: (request: Request) => Promise<Response>;
}

/** The whole HTTP side as a function from `Request` to `Response`. */
export const createApp = (parts: AppParts): Hono => {
  const { operations, version, log } = parts;
  const app = new Hono();
  app.use(
    accessLog(log, parts.closing),
    answerHeaders(parts.closing),
    atTheDoor(parts),
  );

  healthRoutes(app, version);
  // Before sessions: `import` and `most-recent` are no ids.
  archiveRoutes(app, operations);
  findRoutes(app, operations);
  homeStreamRoutes(app, operations, parts);
  sessionRoutes(app, operations);
  lineRoutes(app, operations);
  checkpointRoutes(app, operations);
  workspaceRoutes(app, operations);
  runRoutes(app, operations);
  promptRoutes(app, operations);
  permissionRoutes(app, operations);
  eventRoutes(app, operations, parts);
  taskRoutes(app, operations, parts);
  agentRoutes(app, operations);
  diskRoutes(app, operations);
  shellRoutes(app, operations);
  webhookRoutes(app, operations);
  agreementRoutes(app, operations);
  app.get(SOCKET_PATH, needsUpgrade);
  if (parts.mcp !== undefined) mcpRoutes(app, parts.mcp);
  pageRoutes(app, parts);

  app.notFound((c) => nothingHere(app, c.req.method, c.req.path));
  app.onError((error) => problemResponse(showable(error, log)));
  return app;
};

/** Everything needs the token except the few addresses that say so. */
const atTheDoor =
  (door: Door): MiddlewareHandler =>
  async (c, next) => {
    const open = isOpen(c.req.path);
    const reads = c.req.method === "GET" || c.req.method === "HEAD";
    const header = (name: string) => c.req.header(name);
    refuseForeign(door, header, { openPage: open && reads });
    if (!open) requireToken(door, header, { changes: !reads });
    await next();
  };

const needsUpgrade = (): never => {
  throw new RepriseError(
    "invalid_request",
    `${SOCKET_PATH} is a WebSocket: connect with an upgrade.`,
  );
};

const nothingHere = (app: Hono, method: string, path: string): Response => {
  const methods = new Set(
    app.routes
      .filter((route) => route.method !== "ALL" && matches(route.path, path))
      .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method)),
  );
  if (methods.size === 0)
    return problemResponse(
      new RepriseError(
        "not_found",
        `There is nothing at ${path.slice(0, 200)}. See /openapi.json for what there is.`,
      ),
    );
  const allow = [...methods].sort().join(", ");
  return problemResponse(
    new RepriseError(
      "method_not_allowed",
      `${method} is not possible at ${path.slice(0, 200)}; ${allow} is.`,
    ),
    { allow },
  );
};

const matches = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.at(-1) === "*") {
    wanted.pop();
    given.length = Math.min(given.length, wanted.length);
  }
  return (
    wanted.length === given.length &&
    wanted.every((part, i) =>
      part.startsWith(":") ? given[i] !== "" : part === given[i],
    )
  );
};

/**
 * On every answer. Nothing is ever allowed to another origin: there is no CORS header here, and there never will be.
 * What agents wrote comes out as JSON or plain text that no browser may take for a page; the page itself has a policy of
 * its own, and its files may be kept.
 */
const answerHeaders =
  (closing: AbortSignal): MiddlewareHandler =>
  async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(always))
      if (!c.res.headers.has(name)) c.header(name, value);
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
