import type { Hono } from "hono";
import { routes } from "../../contract/route.ts";
import { body, permissionId, sessionId } from "../ask.ts";
import type { Operations } from "../operations.ts";
import { render } from "../render.ts";

export const permissionRoutes = (app: Hono, operations: Operations): void => {
  const answer = routes.answerPermission;
  app.post(answer.path, async (c) => {
    const [id, request] = [sessionId(c), permissionId(c)];
    const { option_id } = await body(c, answer.body);
    return render(
      answer,
      await operations.answerPermission(id, request, option_id),
    );
  });
};
