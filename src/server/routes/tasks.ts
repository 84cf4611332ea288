import type { Hono } from "hono";
import { routes } from "../../contract/route.ts";
import { body, idempotencyKey, query, taskId } from "../ask.ts";
import type { Operations } from "../operations.ts";
import { render } from "../render.ts";

export const taskRoutes = (app: Hono, operations: Operations): void => {
  const create = routes.createTask;
  app.post(create.path, async (c) => {
    const key = idempotencyKey(c);
    const request = await body(c, create.body);
    return render(create, await operations.createTask(request, key));
  });

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
