import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { query, taskId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";
import { render } from "../answer/render.ts";

export const taskRoutes = (app: Hono, operations: Operations): void => {
  post(
    app,
    routes.createTask,
    () => (request, key) => operations.createTask(request, key),
  );

  const list = routes.listTasks;
  app.get(list.path, async (c) => {
    const { limit, after } = query(c, list.query);
    const page = { limit, ...(after === undefined ? {} : { after }) };
    return render(list, await operations.listTasks(page));
  });

  const show = routes.showTask;
  app.get(show.path, async (c) =>
    render(show, await operations.showTask(taskId(c))),
  );
};
