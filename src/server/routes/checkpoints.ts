import type { Hono } from "hono";
import { routes } from "../../contract/route.ts";
import { body, query, sessionId } from "../ask.ts";
import type { Operations } from "../operations.ts";
import { render } from "../render.ts";

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

  const rewind = routes.rewindSession;
  app.post(rewind.path, async (c) => {
    const id = sessionId(c);
    const request = await body(c, rewind.body);
    return render(rewind, await operations.rewindSession(id, request));
  });

  const fork = routes.forkSession;
  app.post(fork.path, async (c) => {
    const id = sessionId(c);
    const request = await body(c, fork.body);
    return render(fork, await operations.forkSession(id, request));
  });

  const handoff = routes.handOffSession;
  app.post(handoff.path, async (c) => {
    const id = sessionId(c);
    const request = await body(c, handoff.body);
    return render(handoff, await operations.handOffSession(id, request));
  });
};
