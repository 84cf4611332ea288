import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PROMPT_BYTES } from "../../contract/api/request.ts";
import type { Session } from "../../contract/session/session.ts";
import { connectClient } from "../fixtures/fake-client.ts";
import { listenFakeSite } from "../fixtures/fake-site.ts";

test("[API-52] frames that cannot be read get an error answer and the connection stays", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  const cases: [frame: unknown, id: unknown, code: string][] = [
    ["not json", null, "malformed_json"],
    ["", null, "malformed_json"],
    [Buffer.from("{}"), null, "unsupported_media_type"],
    ["null", null, "invalid_request"],
    ["[1]", null, "invalid_request"],
    [{ method: "session.prompt" }, null, "invalid_request"],
    [{ id: { a: 1 }, method: "x" }, null, "invalid_request"],
    [{ id: 1, method: 5 }, 1, "invalid_request"],
    [{ id: 2, method: "no.such" }, 2, "not_found"],
    [{ id: 3, method: "__proto__" }, 3, "not_found"],
    [{ id: 4, method: "session.prompt", params: [] }, 4, "invalid_request"],
    [{ id: 5, method: "session.prompt" }, 5, "invalid_request"],
    [
      { id: 6, method: "session.cancel", params: { session_id: "../x" } },
      6,
      "invalid_request",
    ],
    [
      { id: 7, method: "session.cancel", params: { session_id: id, x: 1 } },
      7,
      "invalid_request",
    ],
    [
      {
        id: 8,
        method: "session.prompt",
        params: { session_id: id, text: "\0" },
      },
      8,
      "invalid_text",
    ],
    [
      {
        id: 9,
        method: "session.prompt",
        params: { session_id: id, text: "x".repeat(MAX_PROMPT_BYTES + 1) },
      },
      9,
      "body_too_large",
    ],
    [
      {
        id: 10,
        method: "session.prompt",
        params: { session_id: id, text: "hi", idempotency_key: "two words" },
      },
      10,
      "invalid_request",
    ],
    [
      `{"id":12,"method":"session.prompt","params":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
      12,
      "invalid_request",
    ],
    [
      {
        id: 11,
        method: "session.permit",
        params: { session_id: id, request_id: "../", option_id: "a" },
      },
      11,
      "permission_not_found",
    ],
  ];
  for (const [frame] of cases) client.send(frame);
  await client.until((received) => received.length === cases.length);
  assert.deepEqual(
    client.received.map(({ id, error }) => [id, error?.code]),
    cases.map(([, id, code]) => [id, code]),
  );
  assert.deepEqual(site.house.done, []);
  const status = await client.call("task.session.status", { session_id: id });
  assert.equal(status.error, undefined);
});

test("[API-52] an unforeseen error shows nothing of itself", async () => {
  await using site = await listenFakeSite({
    cancelTurn: () => Promise.reject(new Error("the secret of the house")),
  });
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  const { error } = await client.call("session.cancel", { session_id: id });
  assert.equal(error?.code, "internal");
  assert.doesNotMatch(error.message, /secret/);
});

test("[API-53] requests keep their order, and a resume does not hold up those behind it", async () => {
  const resumed = Promise.withResolvers<Session>();
  await using site = await listenFakeSite({
    resumeSession: () => resumed.promise,
  });
  const client = await connectClient(site);
  const task = site.house.addTask();
  const session = site.house.addSession(task.id);
  const params = { session_id: session.id };
  client.send({ id: "resume", method: "task.session.resume", params });
  for (let i = 0; i < 20; i++)
    client.send({
      id: i,
      method: "session.prompt",
      // Every other one takes a step more.
      params: {
        ...params,
        text: `${i}`,
        ...(i % 2 === 0 ? { task_id: task.id } : {}),
      },
    });
  await client.until((received) => received.length === 20);
  assert.deepEqual(
    client.received.map(({ id }) => id),
    Array.from({ length: 20 }, (_, i) => i),
  );
  resumed.resolve(session);
  await client.until((received) => received.length === 21);
  assert.equal(client.received.at(-1)?.id, "resume");
});

test("[API-58] where a task is given, the session must belong to it", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const [mine, other] = [site.house.addTask(), site.house.addTask()];
  const session_id = site.house.addSession(mine.id).id;
  const more: Record<string, object> = {
    "session.prompt": { text: "hi" },
    "session.permit": { request_id: "per_1_2", option_id: "a" },
  };
  for (const method of [
    "task.session.status",
    "task.session.resume",
    "session.subscribe",
    "session.unsubscribe",
    "session.prompt",
    "session.cancel",
    "session.permit",
  ]) {
    const params = { session_id, ...more[method] };
    const task_id = other.id;
    const refused = await client.call(method, { ...params, task_id });
    assert.equal(refused.error?.code, "session_not_of_task", method);
    const taken = await client.call(method, { ...params, task_id: mine.id });
    assert.equal(taken.error, undefined, method);
  }
  const listed = await client.call("task.session.list", { task_id: mine.id });
  assert.match(JSON.stringify(listed.result), new RegExp(session_id));
  assert.equal(site.house.done.length, 4);
});
