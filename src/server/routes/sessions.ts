import type { Hono } from "hono";
import type { z } from "zod";
import { routes } from "../../contract/api/route.ts";
import type { SessionsQuery } from "../../contract/api/request.ts";
import { StateName } from "../../contract/session/state.ts";
import { query, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { parse } from "../ask/parse.ts";
import { post } from "./post.ts";
import { refuseLargePrompt } from "../ask/prompt-size.ts";
import { render } from "../answer/render.ts";

export const sessionRoutes = (app: Hono, operations: Operations): void => {
  post(app, routes.createSession, () => async (request, key) => {
    refuseLargePrompt({ text: request.prompt, content: request.content });
    return operations.createSession(request, key);
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

  post(app, routes.changeSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.changeSession(id, request, key);
  });

  const status = routes.sessionStatus;
  app.get(status.path, async (c) =>
    render(status, await operations.sessionStatus(sessionId(c))),
  );

  post(app, routes.resumeSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.resumeSession(id, request, key);
  });

  post(app, routes.pauseSession, (c) => {
    const id = sessionId(c);
    return (_, key) => operations.pauseSession(id, key);
  });

  post(app, routes.endSession, (c) => {
    const id = sessionId(c);
    return (request, key) => operations.endSession(id, request, key);
  });

  post(app, routes.cancelTurn, (c) => {
    const id = sessionId(c);
    return (_, key) => operations.cancelTurn(id, key);
  });

  const remove = routes.deleteSession;
  app.delete(remove.path, async (c) =>
    render(remove, await operations.deleteSession(sessionId(c))),
  );

  post(app, routes.undeleteSession, (c) => {
    const id = sessionId(c);
    return (_, key) => operations.undeleteSession(id, key);
  });

  post(app, routes.purgeSession, (c) => {
    const id = sessionId(c);
    return (_, key) => operations.purgeSession(id, key);
  });

  post(app, routes.recoverSession, (c) => {
    const id = sessionId(c);
    return (_, key) => operations.recoverSession(id, key);
  });
};

/** `state` may name several, separated by commas. */
const filterOf = ({
  task_id,
  cwd,
  state,
  resume_token,
  name,
  agent,
  prefix,
  parent,
  needs_you,
  deleted,
  order,
  limit,
  after,
}: z.output<typeof SessionsQuery>): Parameters<
  Operations["listSessions"]
>[0] => ({
  limit,
  deleted,
  order,
  needs_you,
  ...(task_id === undefined ? {} : { task_id }),
  ...(cwd === undefined ? {} : { cwd }),
  ...(resume_token === undefined ? {} : { resume_token }),
  ...(name === undefined ? {} : { name }),
  ...(agent === undefined ? {} : { agent }),
  ...(prefix === undefined ? {} : { prefix }),
  ...(parent === undefined ? {} : { parent }),
  ...(after === undefined ? {} : { after }),
  ...(state === undefined
    ? {}
    : {
        states: state
          .split(",")
          .map((name) => parse(StateName, name, "The query (state)")),
      }),
});
