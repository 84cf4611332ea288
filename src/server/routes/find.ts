/** What finds a session or a prompt again by a key. */
import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { render } from "../answer/render.ts";
import { query } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";

export const findRoutes = (app: Hono, operations: Operations): void => {
  post(
    app,
    routes.chooseMostRecent,
    () => (request, key) => operations.chooseMostRecent(request, key),
  );

  const find = routes.findPrompts;
  app.get(find.path, async (c) => {
    const { key, after } = query(c, find.query);
    return render(find, await operations.findPrompts(key, after));
  });
};
