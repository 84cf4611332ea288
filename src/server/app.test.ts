import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../contract/problem/problem.ts";
import { type RouteName, routes } from "../contract/api/route.ts";
import { aPermissionId, newPromptId } from "./fixtures/fake-operations.ts";
import { aShellId } from "./fixtures/fake-shells.ts";
import { createFakeSite, problemIn } from "./fixtures/fake-site.ts";

/** A body that suits each route that wants one. */
const bodies: Partial<Record<RouteName, object>> = {
  createSession: { agent: "demo", prompt: "hello" },
  changeSession: { name: "another name" },
  queuePrompt: { text: "hello" },
  resolvePrompt: { action: "drop" },
  answerPermission: { option_id: "allow" },
  createTask: { title: "a task" },
  applyTask: { title: "a task" },
  addContext: { text: "and more" },
  rewindSession: { turn: 1 },
  execCommand: { argv: ["true"] },
  handOffSession: { agent: "demo" },
  agree: { value: "first" },
  changeTask: { budget: { turns: 9 } },
  resizeShell: { cols: 100, rows: 30 },
  chooseMostRecent: { agent: "demo", cwd: "/" },
};

const queries: Record<string, string> = {
  findPrompts: "?key=a-key",
  searchFiles: "?q=word",
  listDirectories: "?path=/home/me/pro",
};

/** What is not answered with one document, or takes none, has tests of its own. */
const apart: readonly string[] = ["stream", "download", "upload"];

for (const [name, route] of Object.entries(routes)) {
  if ("traits" in route && route.traits.some((trait) => apart.includes(trait)))
    continue;
  test(`[API-13] ${route.method} ${route.path} answers as the contract says`, async () => {
    const { ask, house } = createFakeSite();
    const id = route.path.startsWith("/api/tasks/")
      ? house.addTask().id
      : house.addSession().id;
    const path = route.path
      .replace(":id", id)
      .replace(":name", "a-name")
      .replace(":shell_id", aShellId)
      .replace(":prompt_id", newPromptId())
      .replace(":process_id", `prc_1_${"0".repeat(16)}`)
      .replace(":request_id", aPermissionId);
    const body = Object.entries(bodies).find(([key]) => key === name)?.[1];
    const answer = await ask(`${path}${queries[name] ?? ""}`, {
      method: route.method,
      ...(body === undefined
        ? {}
        : {
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
    });
    assert.equal(answer.status, route.status);
    route.answer.parse(await answer.json());
  });
}

test("[API-174] what cannot be the name of an agreement is the name of nothing, and a value is needed", async () => {
  const { ask, house } = createFakeSite();
  const put = (name: string, body: object) =>
    ask(`/api/agreements/${name}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (const name of ["a%20b", "..%2Fx", ".a", "a".repeat(201)])
    assert.equal((await put(name, { value: "x" })).status, 404, name);
  assert.equal((await put("a", {})).status, 400);
  assert.equal((await put("a", { value: "x".repeat(10_001) })).status, 400);
  assert.deepEqual(house.done, []);
});

test("[API-13] a full page of events says where the next begins", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 5);
  const page = async (query: string) =>
    routes.listEvents.answer.parse(
      await (await ask(`/api/sessions/${id}/events?${query}`)).json(),
    );
  const first = await page("limit=3");
  assert.equal(first.next, "3");
  const second = await page(`limit=3&after=${first.next}`);
  assert.deepEqual(
    second.events.map(({ seq }) => seq),
    [4, 5],
  );
  assert.equal(second.next, null);
});

test("[API-99] a page of messages is asked for by one cursor, and answered with the next", async () => {
  const asked: unknown[] = [];
  const { ask, house } = createFakeSite({
    listMessages: async (_, query) => {
      asked.push(query);
      return { messages: [], next: "msg_7", previous: "msg_7", seq: 20 };
    },
  });
  const { id } = house.addSession();
  const path = `/api/sessions/${id}/messages`;
  const page = await ask(`${path}?before=msg_12&limit=5`);
  assert.deepEqual(await page.json(), {
    messages: [],
    next: "msg_7",
    previous: "msg_7",
    seq: 20,
  });
  await ask(path);
  assert.deepEqual(asked, [{ before: "msg_12", limit: 5 }, { limit: 1000 }]);
  for (const wrong of [
    "before=12",
    "before=msg_",
    "before=msg_1&after=msg_2",
    "limit=0",
    "limit=10001",
  ]) {
    const refused = await ask(`${path}?${wrong}`);
    assert.equal((await problemIn(refused)).code, "invalid_request", wrong);
  }
});

test("[API-10] a refusal comes with its code, its status and the state that stood in the way", async () => {
  const { ask, house } = createFakeSite({
    resumeSession: async () => {
      throw new RepriseError("session_ended", "It has ended.", {
        state: "COMPLETED",
      });
    },
  });
  const { id } = house.addSession();
  const refused = await ask(`/api/sessions/${id}/resume`, { method: "POST" });
  assert.equal(refused.status, 410);
  assert.equal(refused.headers.get("content-type"), "application/problem+json");
  assert.deepEqual(await problemIn(refused), {
    type: "urn:reprise:problem:session_ended",
    title: "The session has ended",
    status: 410,
    code: "session_ended",
    detail: "It has ended.",
    state: "COMPLETED",
  });
});

test("[API-11] an unforeseen error is logged whole and shown by a reference only", async () => {
  const cause = new TypeError("the secret of the house");
  const { ask, house, log } = createFakeSite({
    pauseSession: () => Promise.reject(cause),
  });
  const { id } = house.addSession();
  const failed = await ask(`/api/sessions/${id}/pause`, { method: "POST" });
  assert.equal(failed.status, 500);
  const problem = await problemIn(failed);
  assert.equal(problem.code, "internal");
  assert.doesNotMatch(JSON.stringify(problem), /secret|TypeError/);
  const logged = log.lines.find(({ level }) => level === "error");
  assert.equal(logged?.facts["err"], cause);
  assert.ok(problem.detail.includes(String(logged.facts["reference"])));
});

test("[API-12] an address that does not exist is 404", async () => {
  const { ask } = createFakeSite();
  for (const path of ["/nowhere", "/api", "/api/sessions/", "/api/ses/x/y"]) {
    const answer = await ask(path);
    assert.equal(answer.status, 404, path);
    assert.equal((await problemIn(answer)).code, "not_found");
  }
});

test("[API-12] a method that does not exist is 405 and names those that do", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const allowed = async (path: string, method: string) => {
    const answer = await ask(path, { method });
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal((await problemIn(answer)).code, "method_not_allowed");
    return answer.headers.get("allow");
  };
  assert.equal(await allowed("/api/sessions", "PUT"), "GET, HEAD, POST");
  assert.equal(await allowed(`/api/sessions/${id}/resume`, "GET"), "POST");
  assert.equal(await allowed("/health", "POST"), "GET, HEAD");
  assert.equal(
    await allowed(`/api/sessions/${id}/prompts/${newPromptId()}`, "PATCH"),
    "DELETE, GET, HEAD",
  );
});

test("[API-12] /api/ws without an upgrade says that it is a WebSocket", async () => {
  const { ask } = createFakeSite();
  const answer = await ask("/api/ws");
  assert.equal(answer.status, 400);
  assert.match((await problemIn(answer)).detail, /WebSocket/);
});

test("changes and refusals at the door are logged with their session and without secrets", async () => {
  const { ask, house, log } = createFakeSite();
  const { id } = house.addSession();
  await ask(`/api/sessions/${id}/pause`, { method: "POST" });
  await ask(`/api/sessions?cwd=/private`, {
    headers: { authorization: "Bearer guessed" },
  });
  assert.deepEqual(
    log.lines.map(({ level, facts }) => [
      level,
      facts["path"],
      facts["session_id"],
    ]),
    [
      ["info", `/api/sessions/${id}/pause`, id],
      ["warn", "/api/sessions", undefined],
    ],
  );
  assert.doesNotMatch(JSON.stringify(log.lines), /guessed|private/);
});
