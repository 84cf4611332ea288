import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { permissionId, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { post } from "./post.ts";

export const permissionRoutes = (app: Hono, operations: Operations): void =>
  post(app, routes.answerPermission, (c) => {
    const [id, permission] = [sessionId(c), permissionId(c)];
    return ({ option_id }, key) =>
      operations.answerPermission(id, permission, option_id, key);
  });
