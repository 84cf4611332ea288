import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { promptId, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";
import { refuseLargePrompt } from "../ask/prompt-size.ts";
import { render } from "../answer/render.ts";

export const promptRoutes = (app: Hono, operations: Operations): void => {
  post(app, routes.queuePrompt, (c) => {
    const id = sessionId(c);
    return async (request, key) => {
      refuseLargePrompt(request);
      return operations.queuePrompt(id, request, key);
    };
  });

  const show = routes.showPrompt;
  app.get(show.path, async (c) =>
    render(show, await operations.showPrompt(sessionId(c), promptId(c))),
  );

  const cancel = routes.cancelPrompt;
  app.delete(cancel.path, async (c) =>
    render(cancel, await operations.cancelPrompt(sessionId(c), promptId(c))),
  );

  post(app, routes.resolvePrompt, (c) => {
    const [id, prompt] = [sessionId(c), promptId(c)];
    return (request, key) => operations.resolvePrompt(id, prompt, request, key);
  });
};
