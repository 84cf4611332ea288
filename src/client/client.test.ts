import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError, problemOf } from "../contract/problem/problem.ts";
import { newTask } from "../contract/task/new-task.ts";
import { ServerUnreachable, connect } from "./client.ts";

const client = (answer: (request: Request) => Response | Promise<Response>) =>
  connect({
    url: "http://reprise.test",
    token: "secret",
    fetch: async (input, init) => answer(new Request(input, init)),
  });

test("a call fills the path, sends query, body, token and key, and parses the answer", async () => {
  const requests: Request[] = [];
  const api = client((request) => {
    requests.push(request);
    return request.method === "POST"
      ? Response.json(task, { status: 201 })
      : Response.json({ tasks: [task], next: null });
  });
  assert.equal(
    (await api.createTask({ title: "T" }, { key: "k1" })).title,
    "T",
  );
  assert.equal((await api.listTasks({ limit: 7 })).tasks.length, 1);
  const [post, get] = requests;
  assert.equal(post?.url, "http://reprise.test/api/tasks");
  assert.equal(post.headers.get("authorization"), "Bearer secret");
  assert.equal(post.headers.get("idempotency-key"), "k1");
  assert.deepEqual(await post.json(), { title: "T" });
  assert.equal(get?.url, "http://reprise.test/api/tasks?limit=7");
});

for (const code of ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])
  test(`[API-159] a time limit of fetch is told as what it is: ${code}`, async () => {
    const cause = Object.assign(new Error("the time is over"), { code });
    const api = client(() => {
      throw new TypeError("fetch failed", { cause });
    });
    await assert.rejects(api.collectGarbage(), (error) => {
      assert.ok(error instanceof ServerUnreachable);
      assert.match(error.message, /took longer .*\(the time is over\)/);
      assert.doesNotMatch(error.message, /No server answers/);
      return true;
    });
  });

test("an id cannot leave its place in the path", async () => {
  const api = client((request) => {
    assert.equal(
      new URL(request.url).pathname,
      "/api/sessions/..%2F..%2Fhealth%3F",
    );
    return refusal("session_not_found");
  });
  await assert.rejects(api.showSession("../../health?"), {
    code: "session_not_found",
  });
  await assert.rejects(api.showSession(".."), { code: "invalid_id" });
});

test("a problem becomes a RepriseError with its code and state", async () => {
  const api = client(() => refusal("wrong_state"));
  await assert.rejects(api.cancelTurn("x"), (error) => {
    assert.ok(error instanceof RepriseError);
    assert.equal(error.code, "wrong_state");
    assert.equal(error.state, "PAUSED");
    assert.equal(error.message, "because");
    return true;
  });
});

test("a problem with a code of a later release keeps the meaning of its status", async () => {
  const problem = { type: "x", title: "x", status: 410, detail: "gone" };
  const api = client(() =>
    Response.json({ ...problem, code: "evaporated" }, { status: 410 }),
  );
  await assert.rejects(api.showSession("x"), { code: "session_ended" });
});

test("no answer, or the answer of something else, is ServerUnreachable", async () => {
  const nobody = client(() => {
    throw new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") });
  });
  await assert.rejects(nobody.health(), (error) => {
    assert.ok(error instanceof ServerUnreachable);
    assert.match(error.message, /reprise\.test \(ECONNREFUSED\)/);
    return true;
  });
  const page = () => new Response("<h1>It works!</h1>");
  await assert.rejects(client(page).health(), ServerUnreachable);
  const missing = () => new Response("no", { status: 404 });
  await assert.rejects(client(missing).health(), ServerUnreachable);
});

test("an answer that breaks the contract is said to be one", async () => {
  const api = client(() => Response.json({ status: "fine" }));
  await assert.rejects(api.health(), { code: "internal" });
});

const task = newTask({
  id: "tsk_01hzzzzzzzzzzzzzzzzzzzzzzz",
  title: "T",
  description: "",
  created_at: "2026-01-01T00:00:00Z",
});

const refusal = (code: RepriseError["code"]): Response => {
  const problem = problemOf(
    new RepriseError(code, "because", { state: "PAUSED" }),
  );
  return Response.json(problem, { status: problem.status });
};
