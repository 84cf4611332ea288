import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import {
  MAX_BODY_BYTES,
  MAX_PROMPT_BYTES,
} from "../../contract/api/request.ts";
import { createFakeSite, problemIn } from "../fixtures/fake-site.ts";

const json = "application/json";
const MIB = 1024 * 1024;

/** A body of unknown length. */
const streamed = (body: ReadableStream): RequestInit & { duplex: "half" } => ({
  body,
  duplex: "half",
});

/** Each is sent as a prompt; none may reach the house. */
const refused: {
  rule: string;
  what: string;
  body: BodyInit;
  type?: string;
  code: ProblemCode;
  path?: string;
}[] = [
  {
    rule: "API-20",
    what: "a form",
    body: "text=hi",
    type: "application/x-www-form-urlencoded",
    code: "unsupported_media_type",
  },
  {
    rule: "API-20",
    what: "plain text",
    body: `{"text":"hi"}`,
    type: "text/plain",
    code: "unsupported_media_type",
  },
  {
    rule: "API-20",
    what: "another charset",
    body: `{"text":"hi"}`,
    type: `${json}; charset=latin1`,
    code: "unsupported_media_type",
  },
  {
    rule: "API-20",
    what: "a type that only begins like JSON",
    body: `{"text":"hi"}`,
    type: `${json}-patch`,
    code: "unsupported_media_type",
  },
  {
    rule: "API-21",
    what: "a body one byte too large",
    body: new Uint8Array(MAX_BODY_BYTES + 1).fill(32),
    code: "body_too_large",
  },
  {
    rule: "API-22",
    what: "bytes that are not UTF-8",
    body: Buffer.from([
      ...Buffer.from(`{"text":"`),
      0xff,
      0xfe,
      ...Buffer.from(`"}`),
    ]),
    code: "invalid_utf8",
  },
  {
    rule: "API-22",
    what: "a surrogate encoded as bytes",
    body: Buffer.from([
      ...Buffer.from(`{"text":"`),
      0xed,
      0xa0,
      0x80,
      ...Buffer.from(`"}`),
    ]),
    code: "invalid_utf8",
  },
  {
    rule: "API-23",
    what: "half an object",
    body: `{"text":"hi"`,
    code: "malformed_json",
  },
  {
    rule: "API-23",
    what: "a raw NUL byte",
    body: `{"text":"a\0b"}`,
    code: "malformed_json",
  },
  { rule: "API-23", what: "spaces only", body: "   ", code: "malformed_json" },
  { rule: "API-24", what: "an array", body: "[]", code: "invalid_request" },
  { rule: "API-24", what: "null", body: "null", code: "invalid_request" },
  {
    rule: "API-24",
    what: "a wrong type",
    body: `{"text":5}`,
    code: "invalid_request",
    path: "text",
  },
  {
    rule: "API-24",
    what: "an unknown field",
    body: `{"text":"hi","txet":"hi"}`,
    code: "invalid_request",
    path: "",
  },
  {
    rule: "API-24",
    what: "an empty text",
    body: `{"text":""}`,
    code: "invalid_request",
    path: "text",
  },
  {
    rule: "API-24",
    what: "text and content",
    body: `{"text":"hi","content":[{"type":"text","text":"hi"}]}`,
    code: "invalid_request",
  },
  {
    rule: "API-24",
    what: "a hundred thousand brackets",
    body: "[".repeat(100_000) + "]".repeat(100_000),
    code: "invalid_request",
  },
  {
    rule: "API-25",
    what: "a NUL character",
    body: `{"text":"a\\u0000b"}`,
    code: "invalid_text",
    path: "text",
  },
  {
    rule: "API-25",
    what: "a NUL inside content",
    body: `{"content":[{"type":"text","text":"\\u0000"}]}`,
    code: "invalid_text",
    path: "content.0.text",
  },
  {
    rule: "API-25",
    what: "half a surrogate pair",
    body: `{"text":"\\ud83d"}`,
    code: "invalid_text",
    path: "text",
  },
  {
    rule: "API-25",
    what: "half a surrogate pair in a key",
    body: `{"\\udc00":1}`,
    code: "invalid_text",
  },
  {
    rule: "API-26",
    what: "a prompt one byte too large",
    body: JSON.stringify({ text: "x".repeat(MAX_PROMPT_BYTES + 1) }),
    code: "body_too_large",
  },
  {
    rule: "API-26",
    what: "content that is too large together",
    body: JSON.stringify({
      content: Array.from({ length: 5 }, () => ({
        type: "text",
        text: "é".repeat(MIB),
      })),
    }),
    code: "body_too_large",
  },
  {
    rule: "API-27",
    what: "no body where one is needed",
    body: "",
    code: "invalid_request",
  },
  {
    rule: "API-31",
    what: "__proto__ as a field",
    body: `{"text":"hi","__proto__":{"polluted":true}}`,
    code: "invalid_request",
  },
];

for (const { rule, what, body, type = json, code, path } of refused)
  test(`[${rule}] ${what} is refused as ${code} and goes no further`, async () => {
    const { ask, house } = createFakeSite();
    const { id } = house.addSession();
    const answer = await ask(`/api/sessions/${id}/prompts`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    const problem = await problemIn(answer);
    assert.equal(problem.code, code);
    assert.equal(answer.status, problem.status);
    assert.ok(problem.detail.length > 20 && problem.detail.length < 600);
    if (path !== undefined) assert.equal(problem.issues?.[0]?.path, path);
    assert.deepEqual(house.done, []);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });

test("[API-113] JSON that nests too deeply is refused, whatever it is for; a hundred levels are not too deep", async () => {
  const { ask, house } = createFakeSite();
  const create = (depth: number) =>
    ask("/api/sessions", {
      method: "POST",
      headers: { "content-type": json },
      // The body and its settings are two of them.
      body: `{"settings":{"a":${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}}}`,
    });
  for (const depth of [101, 10_000, 200_000]) {
    const answer = await create(depth);
    assert.equal(answer.status, 400);
    const { code, detail } = await problemIn(answer);
    assert.equal(code, "invalid_request");
    assert.match(detail, /nests deeper than 100 levels/);
  }
  assert.deepEqual(house.done, []);
  assert.equal((await create(100)).status, 201);
});

test("[API-20] a compressed body is refused", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const answer = await ask(`/api/sessions/${id}/prompts`, {
    method: "POST",
    headers: { "content-type": json, "content-encoding": "gzip" },
    body: "x",
  });
  assert.equal(answer.status, 415);
});

test("[API-21] reading stops at the limit, though the body does not say its size", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  let given = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += MIB;
      controller.enqueue(new Uint8Array(MIB).fill(32));
    },
  });
  const answer = await ask(`/api/sessions/${id}/prompts`, {
    method: "POST",
    headers: { "content-type": json },
    ...streamed(endless),
  });
  assert.equal((await problemIn(answer)).code, "body_too_large");
  assert.ok(given <= MAX_BODY_BYTES + 3 * MIB, `${given} bytes were read`);
});

test("[API-21] a body that breaks off is refused, and is no failure of the server", async () => {
  const { ask, house, log } = createFakeSite();
  const { id } = house.addSession();
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error("gone"));
    },
  });
  const answer = await ask(`/api/sessions/${id}/prompts`, {
    method: "POST",
    headers: { "content-type": json },
    ...streamed(broken),
  });
  assert.equal((await problemIn(answer)).code, "invalid_request");
  assert.ok(log.lines.every(({ level }) => level !== "error"));
});

test("[API-26] a prompt of 5 MB is taken, in any spelling of the type", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  for (const type of [json, "Application/JSON; charset=UTF-8"]) {
    const answer = await ask(`/api/sessions/${id}/prompts`, {
      method: "POST",
      headers: { "content-type": type },
      body: JSON.stringify({ text: "ü".repeat(2_500_000) }),
    });
    assert.equal(answer.status, 202);
  }
});

test("[API-26] the first prompt of a new session is measured too", async () => {
  const { post, house } = createFakeSite();
  const prompt = "x".repeat(MAX_PROMPT_BYTES + 1);
  assert.equal((await post("/api/sessions", { prompt })).status, 413);
  assert.deepEqual(house.done, []);
});

test("[API-27] no body is {} where nothing is needed, whatever its type", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const end = (init: RequestInit) =>
    ask(`/api/sessions/${id}/end`, { method: "POST", ...init });
  assert.equal((await end({})).status, 200);
  const curl = { "content-type": "text/plain", "content-length": "0" };
  assert.equal((await end({ headers: curl, body: "" })).status, 200);
  assert.equal(
    (await end({ headers: { "content-type": json }, body: "" })).status,
    200,
  );
});

test("[API-31] of repeated keys the last counts, and a field called __proto__ is refused", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const answer = await ask(`/api/sessions/${id}/prompts`, {
    method: "POST",
    headers: { "content-type": json },
    body: `{"text":"first","text":"second"}`,
  });
  assert.equal(answer.status, 202);
  const sent = await ask("/api/sessions", {
    method: "POST",
    headers: { "content-type": json },
    body: `{"env":{"__proto__":"x","PATH":"/bin"}}`,
  });
  const { code, issues } = await problemIn(sent);
  assert.equal(code, "invalid_request");
  assert.equal(issues?.[0]?.path, "env");
  assert.equal(Object.hasOwn(Object.prototype, "PATH"), false);
});
