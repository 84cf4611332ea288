import type { Hono } from "hono";
import type { z } from "zod";
import { routes } from "../../contract/route.ts";
import type { SessionsQuery } from "../../contract/request.ts";
import { StateName } from "../../contract/state.ts";
import { body, idempotencyKey, query, sessionId } from "../ask.ts";
import type { Operations } from "../operations.ts";
import { parse } from "../parse.ts";
import { refuseLargePrompt } from "../prompt-size.ts";
import { render } from "../render.ts";

export const sessionRoutes = (app: Hono, operations: Operations): void => {
  const create = routes.createSession;
  app.post(create.path, async (c) => {
    const key = idempotencyKey(c);
    const request = await body(c, create.body);
    refuseLargePrompt({ text: request.prompt, content: request.content });
    return render(create, await operations.createSession(request, key));
  });

  const list = routes.listSessions;
  app.get(list.path, async (c) => {
    const filter = filterOf(query(c, list.query));
    return render(list, await operations.listSessions(filter));
  });

  const show = routes.showSession;
  app.get(show.path, async (c) =>
    render(show, await operations.showSession(sessionId(c))),
  );

  const status = routes.sessionStatus;
  app.get(status.path, async (c) =>
    render(status, await operations.sessionStatus(sessionId(c))),
  );

  const resume = routes.resumeSession;
  app.post(resume.path, async (c) => {
    const id = sessionId(c);
    await body(c, resume.body);
    return render(resume, await operations.resumeSession(id));
  });

  const pause = routes.pauseSession;
  app.post(pause.path, async (c) => {
    const id = sessionId(c);
    await body(c, pause.body);
    return render(pause, await operations.pauseSession(id));
  });

  const end = routes.endSession;
  app.post(end.path, async (c) => {
    const id = sessionId(c);
    const request = await body(c, end.body);
    return render(end, await operations.endSession(id, request));
  });

  const cancel = routes.cancelTurn;
  app.post(cancel.path, async (c) => {
    const id = sessionId(c);
    await body(c, cancel.body);
    return render(cancel, await operations.cancelTurn(id));
  });

  const remove = routes.deleteSession;
  app.delete(remove.path, async (c) =>
    render(remove, await operations.deleteSession(sessionId(c))),
  );

  const undelete = routes.undeleteSession;
  app.post(undelete.path, async (c) => {
    const id = sessionId(c);
    await body(c, undelete.body);
    return render(undelete, await operations.undeleteSession(id));
  });

  const recover = routes.recoverSession;
  app.post(recover.path, async (c) => {
    const id = sessionId(c);
    await body(c, recover.body);
    return render(recover, await operations.recoverSession(id));
  });
};

/** `state` may name several, separated by commas. */
const filterOf = ({
  task_id,
  cwd,
  state,
  deleted,
  limit,
  after,
}: z.output<typeof SessionsQuery>): Parameters<
  Operations["listSessions"]
>[0] => ({
  limit,
  deleted,
  ...(task_id === undefined ? {} : { task_id }),
  ...(cwd === undefined ? {} : { cwd }),
  ...(after === undefined ? {} : { after }),
  ...(state === undefined
    ? {}
    : {
        states: state
          .split(",")
          .map((name) => parse(StateName, name, "The query (state)")),
      }),
});
