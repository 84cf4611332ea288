import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { render } from "../answer/render.ts";
import { sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";

export const lineRoutes = (app: Hono, operations: Operations): void => {
  const show = routes.showLine;
  app.get(show.path, async (c) =>
    render(show, await operations.showLine(sessionId(c))),
  );
};
