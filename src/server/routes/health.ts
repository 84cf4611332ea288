import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { openApi } from "../answer/openapi.ts";
import { render } from "../answer/render.ts";

/** What anybody may read: that the server is up, what it can do, and what to do first. */
export const healthRoutes = (app: Hono, version: string): void => {
  const health = routes.health;
  app.get(health.path, () => render(health, { status: "ok", version }));

  app.get("/openapi.json", (c) => c.json(openApi(version)));

  app.get("/", (c) => c.text(welcome(version)));
};

export const openPaths: ReadonlySet<string> = new Set([
  "/",
  "/openapi.json",
  routes.health.path,
]);

const welcome = (version: string): string => `Reprise ${version} is running.

Start a session with the demo agent and watch it:
  reprise session start "count 5 200" --agent demo --follow

Give it more work, see what there is:
  reprise session prompt SESSION_ID "remember colour=blue" --follow
  reprise session list
  reprise --help

The API is described at /openapi.json. It wants the header
"Authorization: Bearer TOKEN"; the token is in the file "token" of the home (~/.reprise).
`;
