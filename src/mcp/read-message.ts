/** What comes in as text: a message of JSON-RPC, or the answer to what is none. */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { keysOf } from "../contract/base/keys-of.ts";

export type Read =
  | { kind: "message"; message: JSONRPCMessage }
  | { kind: "refused"; answer: Refused }
  /** It wants no answer, and cannot be used. */
  | { kind: "ignored" };

export interface Refused {
  jsonrpc: "2.0";
  id: RequestId | null;
  error: { code: number; message: string };
}

export const readMessage = (text: string): Read => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(null, PARSE_ERROR, "This is not JSON.");
  }
  const asked = Asked.safeParse(value).data;
  if (asked === undefined)
    return refused(
      null,
      INVALID_REQUEST,
      "This is not a message of JSON-RPC: send one object for each message, no batch.",
    );
  const answer = forNames(value) ?? forTools(value) ?? forParams(value);
  if (answer !== null)
    return isRequest(asked) ? { kind: "refused", answer } : { kind: "ignored" };
  try {
    return { kind: "message", message: parseJSONRPCMessage(value) };
  } catch {
    return isAnswer(asked)
      ? { kind: "ignored" }
      : refused(
          idOf(value),
          INVALID_REQUEST,
          'This is not a message of JSON-RPC: it needs "jsonrpc": "2.0", a method, and an id that is text or a number unless it is a notification.',
        );
  }
};

/** Readers of objects leave a field of this name out: nobody would notice. */
const forNames = (value: unknown): Refused | null =>
  holdsProto(value)
    ? refused(
        idOf(value),
        INVALID_PARAMS,
        "Nothing can be called __proto__: leave that field out.",
      ).answer
    : null;

/** The SDK takes what every object inherits for a tool that is switched off. */
const forTools = (value: unknown): Refused | null => {
  const name = ToolCall.safeParse(value).data?.params.name;
  return name !== undefined && Object.hasOwn(Object.prototype, name)
    ? refused(idOf(value), INVALID_PARAMS, `Tool ${name} not found`).answer
    : null;
};

const ToolCall = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string() }),
});

/** Requests whose params the SDK checks as well, but takes for a failure of its own (`-32603`). */
const forParams = (value: unknown): Refused | null => {
  const request = WithMethod.safeParse(value).data;
  if (request === undefined) return null;
  const checked = checkedBySdk[request.method]["~standard"].validate(value);
  if (checked instanceof Promise || checked.issues === undefined) return null;
  const [first] = checked.issues;
  const where = first?.path?.slice(1).map(String).join(".") ?? "";
  return refused(
    idOf(value),
    INVALID_PARAMS,
    `The params of ${request.method} do not fit: ${where}: ${first?.message}.`,
  ).answer;
};

const checkedBySdk = {
  initialize: specTypeSchemas.InitializeRequest,
  "resources/read": specTypeSchemas.ReadResourceRequest,
};
const WithMethod = z.object({ method: z.enum(keysOf(checkedBySdk)) });

type Asked = z.infer<typeof Asked>;
const isAnswer = (asked: Asked): boolean =>
  "result" in asked || "error" in asked;
const isRequest = (asked: Asked): boolean =>
  asked.id !== undefined && !isAnswer(asked);

const idOf = (value: unknown): RequestId | null =>
  WithId.safeParse(value).data?.id ?? null;

const Asked = z.looseObject({ id: z.unknown().optional() });
const WithId = z.object({ id: z.union([z.string(), z.int()]) });

export const refused = (
  id: RequestId | null,
  code: number,
  message: string,
): { kind: "refused"; answer: Refused } => ({
  kind: "refused",
  answer: { jsonrpc: "2.0", id, error: { code, message } },
});

/** Without recursion: whoever sends it decides how deep it is. */
const holdsProto = (value: unknown): boolean => {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
};
