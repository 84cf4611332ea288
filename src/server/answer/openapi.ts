import * as z from "zod";
import { problems } from "../../contract/problem/problem.ts";
import { IdempotencyKey } from "../../contract/api/request.ts";
import { routes } from "../../contract/api/route.ts";
import { bare, type Json, refTo, schemas } from "./openapi-schemas.ts";

type Route = (typeof routes)[keyof typeof routes];

/** The whole API as OpenAPI 3.1, made from the contract: what the server parses is what the document says. */
export const openApi = (version: string) => ({
  openapi: "3.1.0",
  info: {
    title: "Reprise",
    version,
    description:
      "A durable session runtime for coding agents. Problems are `application/problem+json` with a closed `code`. " +
      "The WebSocket at `/api/ws` is not part of this document: see docs/spec/api.md.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  paths: pathsOf(Object.entries(routes)),
  components: {
    schemas: schemas(),
    responses: { Problem: problemResponse },
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      cookie: { type: "apiKey", in: "cookie", name: "reprise_token" },
    },
  },
  security: [{ token: [] }, { cookie: [] }],
});

const pathsOf = (all: [string, Route][]): Record<string, Json> => {
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of all) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = { operationId, ...operationOf(route) };
    (paths[path] ??= {})[route.method.toLowerCase()] = operation;
  }
  return paths;
};

const operationOf = (route: Route): Json => {
  const traits: readonly string[] = "traits" in route ? route.traits : [];
  return {
    summary: route.summary,
    parameters: [
      ...pathParameters(route.path),
      ...("query" in route ? queryParameters(route.query) : []),
      ...(route.method === "POST" || route.method === "PATCH"
        ? [idempotencyKey]
        : []),
      ...(traits.includes("stream") ? [lastEventId] : []),
    ],
    ...("body" in route
      ? { requestBody: { content: json(schemaOf(route.body)) } }
      : {}),
    ...(traits.includes("upload") ? { requestBody: { content: file } } : {}),
    responses: {
      [route.status]: {
        description: route.summary,
        content: answerOf(route, traits),
      },
      default: { $ref: "#/components/responses/Problem" },
    },
    ...(traits.includes("open") ? { security: [] } : {}),
  };
};

const answerOf = (route: Route, traits: readonly string[]): Json => {
  if (traits.includes("download"))
    return traits.includes("document")
      ? { ...json(refTo(route.answer)), ...file }
      : file;
  const schema = refTo(route.answer);
  return traits.includes("stream")
    ? { "text/event-stream": { schema } }
    : json(schema);
};

/** Bytes as they are. */
const file: Json = { "application/octet-stream": { schema: {} } };

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

const queryParameters = (
  query: z.ZodObject<Record<string, z.core.$ZodType>>,
): Json[] =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema),
  }));

/** As a caller writes it: what has a default may be left out. */
const schemaOf = (schema: z.core.$ZodType): Json =>
  bare(z.toJSONSchema(schema, { io: "input" }));

const json = (schema: Json): Json => ({ "application/json": { schema } });

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same key with the same body gets the first answer again; with another body it is refused.",
  schema: schemaOf(IdempotencyKey),
};

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The seq of the last event that was seen; wins over `after`.",
  schema: { type: "string" },
};

const problemResponse = {
  description: `A refusal or a failure. ${Object.entries(problems)
    .map(([code, [status, title]]) => `\`${code}\` (${status}): ${title}.`)
    .join(" ")}`,
  content: {
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/Problem" },
    },
  },
};
