import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "../../contract/agent/permission.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { PERMISSION, SESSION, sampleSession } from "../fixtures/sample.ts";
import {
  TASK,
  numberedOfTask,
  sampleTask,
  taskBecame,
} from "../fixtures/sample-task.ts";

const asked: Permission = {
  id: PERMISSION,
  turn: 1,
  title: "Write notes.txt",
  tool_kind: "edit",
  state: "pending",
  options: [
    { id: "go", name: "Allow", kind: "allow_once" },
    { id: "stop", name: "Reject", kind: "reject_once" },
  ],
};

const task = sampleTask({
  state: "IN_PROGRESS",
  needs_permission: true,
  attempts: 1,
  session_ids: [SESSION],
  session_id: SESSION,
});

test("[TSK-29] task show tells what the agent asks and the commands that answer it", async (t) => {
  const server = await fakeServer(t, {
    showTask: () => task,
    listAttempts: () => ({ attempts: [], next: null }),
    showSession: () => sampleSession({ pending_permissions: [asked] }),
  });
  const given = { url: server.url };
  const { stdout } = await runCli(t, ["task", "show", TASK], given);
  assert.match(stdout, /^ {2}permission +Write notes\.txt$/m);
  assert.ok(
    stdout.includes(`reprise session permit ${SESSION} ${PERMISSION} yes`),
    stdout,
  );
  assert.match(stdout, /^ {2}next +Answer the permission request/m);
});

test("[TSK-29] task list marks tasks whose agent asks, and task follow says what to do", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [task, sampleTask()], next: null }),
    showTask: () => task,
    listAttempts: () => ({ attempts: [], next: null }),
    showSession: () => sampleSession({ pending_permissions: [asked] }),
  });
  const given = { url: server.url };
  const { stdout } = await runCli(t, ["task", "list"], given);
  assert.match(stdout, /IN_PROGRESS .*asks you: Fix the login\n/);
  assert.match(stdout, /TODO .* - +Fix the login\n/);
  server.publishOfTask(
    ...numberedOfTask(2, [taskBecame("TODO", "IN_PROGRESS")]),
  );
  const followed = await runCli(t, ["task", "follow", TASK], {
    ...given,
    watch: (sofar, kill) => {
      if (sofar.includes("TODO → IN_PROGRESS")) kill("SIGINT");
    },
  });
  assert.equal(followed.code, 130);
  assert.match(
    followed.stdout,
    new RegExp(
      `waits for your answer to a permission request\\. \`reprise task show ${TASK}\``,
    ),
  );
});

test("[TSK-31] task list asks the server for a state, an agent and so many", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({ tasks: [], next: null }),
  });
  const given = { url: server.url };
  const { stdout } = await runCli(
    t,
    ["task", "list", "--state", "REVIEW", "--agent", "claude", "--limit", "3"],
    given,
  );
  assert.deepEqual(server.asked[0]?.query, {
    state: "REVIEW",
    agent: "claude",
    limit: "3",
  });
  assert.match(stdout, /^No such tasks\./);
  const wrong = await runCli(t, ["task", "list", "--state", "OPEN"], given);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--state must be one of TODO, IN_PROGRESS/);
});
