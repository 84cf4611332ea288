import type { Hono } from "hono";
import { routes } from "../../contract/route.ts";
import { body, idempotencyKey, promptId, sessionId } from "../ask.ts";
import type { Operations } from "../operations.ts";
import { refuseLargePrompt } from "../prompt-size.ts";
import { render } from "../render.ts";

export const promptRoutes = (app: Hono, operations: Operations): void => {
  const queue = routes.queuePrompt;
  app.post(queue.path, async (c) => {
    const id = sessionId(c);
    const key = idempotencyKey(c);
    const request = await body(c, queue.body);
    refuseLargePrompt(request);
    return render(queue, await operations.queuePrompt(id, request, key));
  });

  const show = routes.showPrompt;
  app.get(show.path, async (c) =>
    render(show, await operations.showPrompt(sessionId(c), promptId(c))),
  );

  const cancel = routes.cancelPrompt;
  app.delete(cancel.path, async (c) =>
    render(cancel, await operations.cancelPrompt(sessionId(c), promptId(c))),
  );

  const resolve = routes.resolvePrompt;
  app.post(resolve.path, async (c) => {
    const [id, prompt] = [sessionId(c), promptId(c)];
    const request = await body(c, resolve.body);
    return render(resolve, await operations.resolvePrompt(id, prompt, request));
  });
};
