import type { Context, Hono } from "hono";
import type { z } from "zod";
import { body, idempotencyKey } from "../ask/ask.ts";
import { render } from "../answer/render.ts";

interface PostRoute {
  method: "POST" | "PATCH";
  path: string;
  body: z.ZodType;
  status: number;
  answer: z.ZodType;
}

/**
 * Mounts a route that changes something: its body and its idempotency key are read, and the answer is rendered.
 * `of` reads the ids, and comes first: what is wrong with a request for nothing does not matter.
 */
export const post = <R extends PostRoute>(
  app: Hono,
  route: R,
  of: (
    c: Context,
  ) => (
    request: z.output<R["body"]>,
    key: string | undefined,
  ) => Promise<z.input<R["answer"]>>,
): void => {
  app.on(route.method, route.path, async (c) => {
    const ask = of(c);
    const key = idempotencyKey(c);
    const schema: R["body"] = route.body;
    return render(route, await ask(await body(c, schema), key));
  });
};
