import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { eventTypes } from "../../contract/event/event.ts";
import { problems } from "../../contract/problem/problem.ts";
import { routes } from "../../contract/api/route.ts";
import { createFakeSite } from "../fixtures/fake-site.ts";

const Schema = z.record(z.string(), z.unknown());
const Operation = z.strictObject({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(["path", "query", "header"]),
      required: z.boolean(),
      description: z.string().optional(),
      schema: Schema,
    }),
  ),
  requestBody: z
    .strictObject({
      content: z.record(z.string(), z.strictObject({ schema: Schema })),
    })
    .optional(),
  responses: z.record(z.string(), Schema),
  security: z.array(Schema).optional(),
});
const Document = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.strictObject({
    schemas: z.record(z.string(), Schema),
    responses: z.record(z.string(), Schema),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
  security: z.array(Schema),
});

const served = async () => {
  const { ask } = createFakeSite();
  const answer = await ask("/openapi.json");
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  return Document.parse(await answer.json());
};

test("[API-80] the document has every route of the contract, and only those", async () => {
  const { paths } = await served();
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { operationId }]) =>
        `${operationId} ${method.toUpperCase()} ${path}`,
    ),
  );
  const wanted = Object.entries(routes).map(
    ([name, { method, path }]) =>
      `${name} ${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  assert.deepEqual(found.sort(), wanted.sort());
});

const takesBody: ReadonlySet<string> = new Set(["post", "put", "patch"]);

test("[API-80] parameters of the path, the query and the headers are described", async () => {
  const { paths } = await served();
  const names = (path: string, method: string) =>
    paths[path]?.[method]?.parameters.map((one) => `${one.in} ${one.name}`);
  assert.deepEqual(names("/api/sessions/{id}/prompts", "post"), [
    "path id",
    "header Idempotency-Key",
  ]);
  assert.deepEqual(names("/api/sessions/{id}/stream", "get"), [
    "path id",
    "query after",
    "header Last-Event-ID",
  ]);
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const inPath = operation.parameters.filter((one) => one.in === "path");
      assert.equal(inPath.length, path.split("{").length - 1, path);
      assert.equal(operation.requestBody !== undefined, takesBody.has(method));
    }
});

test("[API-80] every reference leads somewhere, and nothing refers to another document", async () => {
  const document = await served();
  const text = JSON.stringify(document);
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, ref = ""]) => ref,
  );
  assert.ok(refs.length > 50);
  for (const ref of new Set(refs)) {
    const [root, components, kind, name] = ref.split("/");
    assert.deepEqual([root, components], ["#", "components"], ref);
    const known =
      kind === "schemas"
        ? document.components.schemas
        : document.components.responses;
    assert.ok(name !== undefined && name in known, ref);
  }
  assert.doesNotMatch(text, /"\$id"|"\$schema"|"\$defs"/);
});

test("[API-80] every event and every problem is described", async () => {
  const { schemas, responses } = (await served()).components;
  for (const type of eventTypes) assert.ok(`Event.${type}` in schemas, type);
  const codes = z
    .looseObject({
      properties: z.looseObject({
        code: z.looseObject({ enum: z.array(z.string()) }),
      }),
    })
    .parse(schemas["Problem"]).properties.code.enum;
  assert.deepEqual(codes, Object.keys(problems));
  assert.match(
    JSON.stringify(responses["Problem"]),
    /application\/problem\+json/,
  );
});

test("[API-80] what needs no token says so; everything else needs one", async () => {
  const { paths, security, components } = await served();
  assert.deepEqual(paths["/health"]?.["get"]?.security, []);
  assert.equal(paths["/api/sessions"]?.["get"]?.security, undefined);
  const named = security.flatMap((one) => Object.keys(one));
  assert.deepEqual(named, Object.keys(components.securitySchemes));
});
