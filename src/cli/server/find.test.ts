import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../client/client.ts";
import { findSession, findTask } from "./find.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { TASK, sampleTask } from "../fixtures/sample-task.ts";
import { UsageError } from "../parsing/usage-error.ts";

const task = sampleTask();

test("any beginning of the only id there is will do, with or without its prefix", async (t) => {
  const server = await fakeServer(t, {
    listSessions: ({ query }) => ({
      sessions: [sampleSession()].filter(({ id }) =>
        id.startsWith(query["prefix"] ?? ""),
      ),
      next: null,
    }),
    listTasks: () => ({ tasks: [task], next: null }),
  });
  const client = connect({ url: server.url });
  for (const beginning of ["s", "ses_", "ses_01j", "01jm", "0"])
    assert.equal(await findSession(client, beginning), SESSION, beginning);
  for (const beginning of ["tsk_", "tsk_01", "01jm"])
    assert.equal(await findTask(client, beginning), TASK, beginning);
  for (const beginning of ["", "1", "../..", "tsk_"])
    await assert.rejects(findSession(client, beginning), {
      code: "session_not_found",
    });
});

test("the beginning of several is none's", async (t) => {
  const other = TASK.replace(/0$/, "1");
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [task, { ...task, id: other }], next: null }),
  });
  const client = connect({ url: server.url });
  await assert.rejects(findTask(client, "tsk_01jm"), UsageError);
  assert.equal(await findTask(client, other), other);
});

test("a full id or a name of a task is found without reading all tasks", async (t) => {
  const server = await fakeServer(t, {
    showTaskByName: ({ params }) => {
      if (params["name"] === "parser") return { ...task, name: "parser" };
      throw refusal("task_not_found");
    },
  });
  const client = connect({ url: server.url });
  assert.equal(await findTask(client, TASK), TASK);
  assert.equal(server.asked.length, 0);
  assert.equal(await findTask(client, "parser"), TASK);
  // Nothing that an id could begin with.
  for (const given of ["no-such", "Login.v2", "a b", "../.."])
    await assert.rejects(findTask(client, given), { code: "task_not_found" });
  assert.deepEqual(
    [...new Set(server.asked.map(({ name }) => name))],
    ["showTaskByName"],
  );
});
