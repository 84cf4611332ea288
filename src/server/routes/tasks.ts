import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { TaskName } from "../../contract/api/task-request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { render } from "../answer/render.ts";
import { eventStream, HEARTBEAT_MS } from "../answer/sse.ts";
import { tellBroken } from "../answer/tell-broken.ts";
import { body, query, taskId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import { cursor, streamHeaders } from "./events.ts";
import { post } from "./post.ts";

export const taskRoutes = (
  app: Hono,
  operations: Operations,
  { closing, log }: { closing: AbortSignal; log: Log },
): void => {
  post(
    app,
    routes.createTask,
    () => (request, key) => operations.createTask(request, key),
  );

  const list = routes.listTasks;
  app.get(list.path, async (c) => {
    const filter = query(c, list.query);
    return render(list, await operations.listTasks(filter));
  });

  const apply = routes.applyTask;
  app.put(apply.path, async (c) => {
    const name = parse(TaskName, c.req.param("name"), "the name of the task");
    const request = await body(c, apply.body);
    return render(apply, await operations.applyTask(name, request));
  });

  const named = routes.showTaskByName;
  app.get(named.path, async (c) => {
    const name = parse(TaskName, c.req.param("name"), "the name of the task");
    return render(named, await operations.showTaskByName(name));
  });

  const show = routes.showTask;
  app.get(show.path, async (c) =>
    render(show, await operations.showTask(taskId(c))),
  );

  post(app, routes.changeTask, (c) => {
    const id = taskId(c);
    return (request, key) => operations.changeTask(id, request, key);
  });
  post(app, routes.runTask, (c) => {
    const id = taskId(c);
    return (request, key) => operations.runTask(id, request, key);
  });
  post(app, routes.retryTask, (c) => {
    const id = taskId(c);
    return (request, key) => operations.retryTask(id, request, key);
  });
  post(app, routes.addContext, (c) => {
    const id = taskId(c);
    return (request, key) => operations.addContext(id, request, key);
  });
  post(app, routes.finishTask, (c) => {
    const id = taskId(c);
    return (_, key) => operations.closeTask(id, "done", key);
  });
  post(app, routes.cancelTask, (c) => {
    const id = taskId(c);
    return (_, key) => operations.closeTask(id, "cancelled", key);
  });

  const remove = routes.deleteTask;
  app.delete(remove.path, async (c) =>
    render(remove, await operations.deleteTask(taskId(c))),
  );
  post(app, routes.undeleteTask, (c) => {
    const id = taskId(c);
    return (_, key) => operations.undeleteTask(id, key);
  });

  post(app, routes.purgeTask, (c) => {
    const id = taskId(c);
    return (_, key) => operations.purgeTask(id, key);
  });

  const attempts = routes.listAttempts;
  app.get(attempts.path, async (c) =>
    render(attempts, await operations.listAttempts(taskId(c))),
  );

  const events = routes.listTaskEvents;
  app.get(events.path, async (c) => {
    const { after, limit } = query(c, events.query);
    const page = await operations.listTaskEvents(taskId(c), after, limit);
    const { last_seq } = await operations.showTask(taskId(c));
    const last = page.at(-1)?.seq ?? last_seq;
    return render(events, {
      events: page,
      next: last < last_seq ? String(last) : null,
    });
  });

  app.get(routes.streamTaskEvents.path, async (c) => {
    const id = taskId(c);
    const after = cursor(c);
    await refuseCursor(operations, id, after);
    const stream = eventStream({
      follow: (signal) => operations.followTask(id, after, signal),
      jsonOf: (event) => JSON.stringify(event),
      until: [c.req.raw.signal, closing],
      heartbeatMs: HEARTBEAT_MS,
      failed: (err) => tellBroken(log, { task_id: id }, err, "a stream broke"),
    });
    return new Response(stream, { headers: streamHeaders });
  });
};

/** An unknown task is a 404 and a cursor from elsewhere a 400, not a stream that breaks or stays silent. */
const refuseCursor = async (
  operations: Operations,
  id: TaskId,
  after: number,
): Promise<void> => {
  const { last_seq } = await operations.showTask(id);
  if (after > last_seq)
    throw new RepriseError(
      "invalid_request",
      `The newest event of ${id} is number ${last_seq}, so there is nothing after ${after}. Read the task again and follow it from there.`,
    );
};
