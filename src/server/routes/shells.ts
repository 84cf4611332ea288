import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { body, sessionId, shellId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { render } from "../answer/render.ts";
import { post } from "./post.ts";

export const shellRoutes = (app: Hono, operations: Operations): void => {
  post(app, routes.openShell, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.openShell(id, request, key);
  });

  const resize = routes.resizeShell;
  app.put(resize.path, async (c) => {
    const [id, shell] = [sessionId(c), shellId(c)];
    const size = await body(c, resize.body);
    return render(resize, await operations.resizeShell(id, shell, size));
  });

  const list = routes.listShells;
  app.get(list.path, async (c) => {
    const shells = await operations.listShells(sessionId(c));
    return render(list, { shells, next: null });
  });

  const show = routes.showShell;
  app.get(show.path, async (c) =>
    render(show, await operations.showShell(sessionId(c), shellId(c))),
  );

  const close = routes.closeShell;
  app.delete(close.path, async (c) =>
    render(close, await operations.closeShell(sessionId(c), shellId(c))),
  );
};
