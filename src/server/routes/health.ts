import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { openApi } from "../answer/openapi.ts";
import { render } from "../answer/render.ts";

/** What anybody may read: that the server is up, and what it can do. */
export const healthRoutes = (app: Hono, version: string): void => {
  const health = routes.health;
  app.get(health.path, () => render(health, { status: "ok", version }));

  app.get("/openapi.json", (c) => c.json(openApi(version)));
};
