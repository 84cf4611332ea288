import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import type { Operations } from "../ask/operations.ts";
import { query } from "../ask/ask.ts";
import { render } from "../answer/render.ts";

export const agentRoutes = (app: Hono, operations: Operations): void => {
  const agents = routes.listAgents;
  app.get(agents.path, async (c) =>
    render(agents, {
      agents: await operations.listAgents(query(c, agents.query)),
      next: null,
      profiles: operations.listProfiles(),
    }),
  );

  const executors = routes.listExecutors;
  app.get(executors.path, async () =>
    render(executors, {
      ...(await operations.listExecutors()),
      next: null,
    }),
  );
};
