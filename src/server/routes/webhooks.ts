import type { Context, Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { body, query } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { render } from "../answer/render.ts";
import { post } from "./post.ts";

export const webhookRoutes = (app: Hono, operations: Operations): void => {
  const list = routes.listWebhooks;
  app.get(list.path, async () =>
    render(list, { webhooks: await operations.listWebhooks(), next: null }),
  );

  const deliveries = routes.listDeliveries;
  app.get(deliveries.path, async (c) =>
    render(deliveries, {
      deliveries: await operations.listDeliveries(query(c, deliveries.query)),
      next: null,
    }),
  );

  post(app, routes.testWebhook, (c) => {
    const id = webhookId(c);
    return (_, key) => operations.testWebhook(id, key);
  });
  const on = routes.switchOnWebhook;
  app.put(on.path, async (c) => {
    await body(c, on.body);
    return render(on, await operations.switchOnWebhook(webhookId(c)));
  });
};

/** What is configured decides which ids there are. */
const webhookId = (c: Context): string => c.req.param("id") ?? "";
