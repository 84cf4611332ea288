import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../contract/api/route.ts";
import { aPermissionId, newPromptId } from "../fixtures/fake-operations.ts";
import type { FakeHouse } from "../fixtures/fake-operations.ts";
import { createFakeSite, problemIn } from "../fixtures/fake-site.ts";

for (const id of [
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e%2f",
  "ses_x",
  "ses_01H",
  "%00",
  "%ff",
  "a%0d%0ab",
])
  test(`[API-28] the id ${id} is the id of nothing`, async () => {
    const { ask, house } = createFakeSite();
    const real = house.addSession().id;
    const code = async (path: string, method = "GET") => {
      const answer = await ask(path, { method });
      assert.equal(answer.status, 404, path);
      const problem = await problemIn(answer);
      assert.match(problem.detail, /must look like/);
      return problem.code;
    };
    const sessions = "/api/sessions";
    assert.equal(await code(`${sessions}/${id}`), "session_not_found");
    assert.equal(await code(`${sessions}/${id}/stream`), "session_not_found");
    assert.equal(
      await code(`${sessions}/${id}/resume`, "POST"),
      "session_not_found",
    );
    assert.equal(await code(`/api/tasks/${id}`), "task_not_found");
    assert.equal(
      await code(`${sessions}/${real}/prompts/${id}`),
      "prompt_not_found",
    );
    assert.equal(
      await code(`${sessions}/${real}/permissions/${id}`, "POST"),
      "permission_not_found",
    );
    assert.deepEqual(house.done, []);
  });

test("[API-28] a path that climbs is another path", async () => {
  const { ask } = createFakeSite();
  const answer = await ask("/api/sessions/../../etc/passwd");
  assert.equal((await problemIn(answer)).code, "not_found");
});

for (const query of [
  "limit=0",
  "limit=10001",
  "limit=ten",
  "after=-1",
  "after=1.5",
  "after=",
  "after=0x10",
  "after=%201",
  "after=1e3",
  "after=1&after=2",
  "before=3",
])
  test(`[API-29] the query ${query} is refused`, async () => {
    const { ask, house } = createFakeSite();
    const { id } = house.addSession();
    const answer = await ask(`/api/sessions/${id}/events?${query}`);
    assert.equal((await problemIn(answer)).code, "invalid_request");
  });

test("[API-29] a state that does not exist is refused; several may be named", async () => {
  const { ask } = createFakeSite();
  assert.equal((await ask("/api/sessions?state=RUNNING,PAUSED")).status, 200);
  assert.equal((await ask("/api/sessions?state=running")).status, 400);
});

test("[API-30] an idempotency key is handed on, and one that is none is refused", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const send = (path: string, body: object, key: string) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
    });
  await send(`/api/sessions/${id}/prompts`, { text: "hi" }, "key-1");
  await send("/api/sessions", {}, "key-2");
  await send("/api/tasks", { title: "t" }, "key-3");
  assert.deepEqual(house.keys, ["key-1", "key-2", "key-3"]);
  for (const key of ["two words", "é", "x".repeat(256)]) {
    const answer = await send("/api/sessions", {}, key);
    assert.equal((await problemIn(answer)).code, "invalid_request");
  }
  assert.equal(house.done.length, 3);
});

const idFor = (path: string, house: FakeHouse): string =>
  path.startsWith("/api/tasks/") ? house.addTask().id : house.addSession().id;

test("[API-106] every POST of the contract hands its idempotency key on", async () => {
  const bodies: Record<string, object> = {
    queuePrompt: { text: "hello" },
    chooseMostRecent: { agent: "demo", cwd: "/" },
    resolvePrompt: { action: "drop" },
    answerPermission: { option_id: "yes" },
    rewindSession: { turn: 1 },
    execCommand: { argv: ["true"] },
    handOffSession: { agent: "demo" },
    createTask: { title: "T", description: "" },
    addContext: { text: "More." },
  };
  for (const [name, route] of Object.entries(routes)) {
    if (route.method !== "POST") continue;
    const { ask, house } = createFakeSite();
    const path = route.path
      .replace(":id", idFor(route.path, house))
      .replace(":prompt_id", newPromptId())
      .replace(":request_id", aPermissionId);
    const isUpload = name === "importSession";
    const answer = await ask(path, {
      method: "POST",
      headers: {
        "idempotency-key": "k",
        "content-type": isUpload
          ? "application/octet-stream"
          : "application/json",
      },
      body: isUpload ? "file" : JSON.stringify(bodies[name] ?? {}),
    });
    assert.equal(answer.status, route.status, name);
    assert.deepEqual(house.keys, ["k"], name);
  }
});

test("[SES-63] a malformed pattern of a tool is refused with its field and what is wrong", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const tool = "Bash(rm *";
  const rules = [{ tool, answer: "deny" }];
  const wrong: [path: string, body: object, field: string][] = [
    ["/api/sessions", { disallowed_tools: [tool] }, "disallowed_tools.0"],
    ["/api/sessions", { permissions: { rules } }, "permissions.rules.0.tool"],
    [
      `/api/sessions/${id}/resume`,
      { allowed_tools: [tool] },
      "allowed_tools.0",
    ],
  ];
  for (const [path, body, field] of wrong) {
    const answer = await ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 400);
    const problem = await problemIn(answer);
    assert.equal(problem.code, "invalid_request");
    assert.equal(problem.issues?.[0]?.path, field);
    assert.match(problem.detail, /"Bash\(rm \*" is not a pattern: .*closed/);
  }
  assert.deepEqual(house.done, []);
});
