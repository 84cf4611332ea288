import type { Context } from "hono";
import type { z } from "zod";
import {
  PermissionId,
  PromptId,
  SessionId,
  ShellId,
  TaskId,
} from "../../contract/base/id.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { IdempotencyKey } from "../../contract/api/request.ts";
import { ProcessId } from "../../contract/session/process.ts";
import { readJson } from "./body.ts";
import { parse } from "./parse.ts";

/** What a route reads out of its request. Everything is parsed here, so that nothing inside has to doubt it. */
export const body = async <S extends z.ZodType>(
  c: Context,
  schema: S,
): Promise<z.output<S>> => parse(schema, await readJson(c.req.raw), "The body");

export const query = <S extends z.ZodType>(
  c: Context,
  schema: S,
): z.output<S> => {
  const given = Object.entries(c.req.queries());
  for (const [name, values] of given)
    if (values.length > 1)
      throw new RepriseError(
        "invalid_request",
        `The query names ${JSON.stringify(name.slice(0, 100))} more than once.`,
      );
  const single = given.map(([name, [value]]) => [name, value]);
  return parse(schema, Object.fromEntries(single), "The query");
};

export const idempotencyKey = (c: Context): string | undefined => {
  const key = c.req.header("idempotency-key");
  return key === undefined
    ? undefined
    : parse(IdempotencyKey, key, "The header Idempotency-Key");
};

export const sessionId = (c: Context): SessionId =>
  id(SessionId, c.req.param("id"), "session_not_found", "session");

export const taskId = (c: Context): TaskId =>
  id(TaskId, c.req.param("id"), "task_not_found", "task");

export const promptId = (c: Context): PromptId =>
  id(PromptId, c.req.param("prompt_id"), "prompt_not_found", "prompt");

export const processId = (c: Context): string =>
  id(ProcessId, c.req.param("process_id"), "process_not_found", "process");

export const shellId = (c: Context): ShellId =>
  id(ShellId, c.req.param("shell_id"), "shell_not_found", "shell");

export const permissionId = (c: Context): PermissionId =>
  readPermissionId(c.req.param("request_id"));

export const readPermissionId = (given: unknown): PermissionId =>
  id(PermissionId, given, "permission_not_found", "permission request");

/** What cannot be an id is the id of nothing. */
const id = <S extends z.ZodType>(
  schema: S,
  given: unknown,
  code: ProblemCode,
  noun: string,
): z.output<S> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new RepriseError(
    code,
    `${JSON.stringify(String(given).slice(0, 100))} is not the id of a ${noun}: an id ${parsed.error.issues[0]?.message ?? "looks different"}.`,
  );
};
