import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { query } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";
import { render } from "../answer/render.ts";

export const diskRoutes = (app: Hono, operations: Operations): void => {
  const use = routes.showDiskUse;
  app.get(use.path, async (c) => {
    const { session_id } = query(c, use.query);
    return render(use, await operations.showDiskUse(session_id));
  });

  const damage = routes.showDamage;
  app.get(damage.path, async () =>
    render(damage, await operations.showDamage()),
  );

  post(
    app,
    routes.collectGarbage,
    () => (request, key) => operations.collectGarbage(request, key),
  );
};
