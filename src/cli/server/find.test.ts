import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../client/client.ts";
import { findSession, findTask } from "./find.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { AT, SESSION, sampleSession } from "../fixtures/sample.ts";
import { UsageError } from "../parsing/usage-error.ts";

const TASK = "tsk_01jm0000000000000000000000";
const task = {
  id: TASK,
  title: "T",
  description: "",
  state: "CREATED",
  session_ids: [],
  created_at: AT,
  updated_at: AT,
};

test("any beginning of the only id there is will do, with or without its prefix", async (t) => {
  const server = await fakeServer(t, {
    listSessions: () => ({ sessions: [sampleSession()], next: null }),
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
