import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { processId, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { render } from "../answer/render.ts";
import { post } from "./post.ts";

export const runRoutes = (app: Hono, operations: Operations): void => {
  post(app, routes.execCommand, (c) => {
    const id = sessionId(c);
    // Aborted when the client goes away before it is answered.
    const { signal } = c.req.raw;
    return (request, key) =>
      operations.execCommand(id, request, { key, signal });
  });

  const list = routes.listProcesses;
  app.get(list.path, async (c) =>
    render(list, await operations.listProcesses(sessionId(c))),
  );

  const end = routes.endProcess;
  app.delete(end.path, async (c) =>
    render(end, await operations.endProcess(sessionId(c), processId(c))),
  );
};
