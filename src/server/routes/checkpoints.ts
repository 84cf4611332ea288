import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { query, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";
import { render } from "../answer/render.ts";

export const checkpointRoutes = (app: Hono, operations: Operations): void => {
  const list = routes.listCheckpoints;
  app.get(list.path, async (c) => {
    const id = sessionId(c);
    const checkpoints = await operations.listCheckpoints(id);
    // Afterwards: reading them may have told that it is damaged.
    const { damaged_from } = await operations.showSession(id);
    return render(list, {
      checkpoints,
      next: null,
      ...(damaged_from === null ? {} : { damaged_from }),
    });
  });

  const diff = routes.showDiff;
  app.get(diff.path, async (c) => {
    const wanted = query(c, diff.query);
    return render(diff, await operations.showDiff(sessionId(c), wanted));
  });

  post(app, routes.rewindSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.rewindSession(id, request, key);
  });
  post(app, routes.forkSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.forkSession(id, request, key);
  });
  post(app, routes.handOffSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.handOffSession(id, request, key);
  });
};
