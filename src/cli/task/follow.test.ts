import assert from "node:assert/strict";
import { test } from "node:test";
import { AttemptId } from "../../contract/base/id.ts";
import type { Task } from "../../contract/task/task.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import {
  AT,
  PROMPT,
  SESSION,
  became,
  numbered,
  queued,
  said,
  sampleSession,
  samplePrompt,
  turnEnded,
  wholeTurn,
} from "../fixtures/sample.ts";
import {
  TASK,
  attemptEnded,
  attemptStarted,
  numberedOfTask,
  promptQueued,
  sampleAttempt,
  sampleTask,
  taskBecame,
} from "../fixtures/sample-task.ts";

test("create --run --follow tells the attempt, shows its turn and ends when the task is to be reviewed", async (t) => {
  let task: Task = sampleTask({ state: "IN_PROGRESS", last_seq: 3 });
  const server = await fakeServer(t, {
    createTask: () => task,
    showTask: () => task,
    showSession: () => sampleSession({ last_seq: 1 }),
  });
  server.publishOfTask(
    ...numberedOfTask(1, [
      attemptStarted(),
      taskBecame("TODO", "IN_PROGRESS"),
      promptQueued,
    ]),
  );
  const [first, ...rest] = numbered(1, wholeTurn);
  assert.ok(first);
  server.publish(first);
  const { code, stdout, stderr } = await runCli(
    t,
    ["task", "create", "Fix", "--description", "d", "--run", "--follow"],
    {
      url: server.url,
      watch: (sofar) => {
        if (sofar.includes("IN_PROGRESS")) server.publish(...rest.splice(0));
        if (!sofar.includes("turn 1 completed") || task.state === "REVIEW")
          return;
        task = sampleTask({
          state: "REVIEW",
          last_seq: 5,
          session_id: SESSION,
          attempts: 1,
        });
        server.publishOfTask(
          ...numberedOfTask(4, [
            attemptEnded(),
            taskBecame("IN_PROGRESS", "REVIEW"),
          ]),
        );
      },
    },
  );
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(
    stdout,
    [
      `${TASK} created: Fix the login`,
      "── attempt 1 begins: demo is told the task",
      "── TODO → IN_PROGRESS",
      "> go",
      "one, two",
      "── turn 1 completed (end_turn)",
      "── attempt 1 succeeded, 1 file changed",
      "── IN_PROGRESS → REVIEW",
      `Look at it with \`reprise session diff ${SESSION} 0 now\`; then \`reprise task done ${TASK}\` if it is done, or ask for more with \`reprise task update ${TASK} --context "…"\`.`,
      "",
    ].join("\n"),
  );
});

test("task follow joins the turn in progress, goes on with a retry that nobody asked for, and fails with the task", async (t) => {
  const second = AttemptId.parse("att_01jm0000000000000000000001");
  let task: Task = sampleTask({
    state: "IN_PROGRESS",
    last_seq: 3,
    attempts: 1,
    session_id: SESSION,
  });
  const server = await fakeServer(t, {
    showTask: () => task,
    listAttempts: () => ({ attempts: [sampleAttempt()], next: null }),
    showSession: () => sampleSession({ state: "RUNNING", last_seq: 3 }),
    showPrompt: () => ({ ...samplePrompt, state: "running", turn: 1 }),
    listMessages: () => ({
      messages: [{ id: "msg_3", turn: 1, role: "user", text: "go", at: AT }],
      next: null,
    }),
  });
  server.publish(
    ...numbered(1, [
      queued,
      became("RUNNING"),
      said(3, "user", "go"),
      turnEnded("failed"),
      queued,
      said(6, "user", "Your previous attempt was interrupted"),
      {
        type: "session.turn.interrupted",
        data: { turn: 2, prompt_id: PROMPT, reason: "The agent was killed." },
      },
    ]),
  );
  server.publishOfTask(
    ...numberedOfTask(1, [
      attemptStarted(),
      taskBecame("TODO", "IN_PROGRESS"),
      promptQueued,
      attemptEnded({
        outcome: "failed",
        files_changed: null,
        reason: { code: "agent_error", text: "no credit" },
      }),
      {
        type: "task.retry.scheduled",
        data: { at: "2026-03-01T12:00:10.000Z", mode: "continue" },
      },
      attemptStarted({
        attempt_id: second,
        number: 2,
        mode: "continue",
        automatic: true,
      }),
      {
        type: "task.prompt.queued",
        data: {
          attempt_id: second,
          session_id: SESSION,
          prompt_id: samplePrompt.id,
        },
      },
      attemptEnded({
        attempt_id: second,
        outcome: "timed_out",
        files_changed: [],
      }),
      taskBecame("IN_PROGRESS", "FAILED"),
    ]),
  );
  const { code, stdout, stderr } = await runCli(t, ["task", "follow", TASK], {
    url: server.url,
    watch: (sofar) => {
      if (sofar.includes("attempt 2 begins"))
        task = sampleTask({ state: "FAILED", last_seq: 9, attempts: 2 });
    },
  });
  assert.equal(stderr, "");
  assert.deepEqual(stdout.split("\n"), [
    `${TASK} is IN_PROGRESS: Fix the login`,
    "> go",
    "── turn 1 failed (end_turn)",
    "   no credit",
    "── attempt 1 failed, no credit",
    "── tries again in 10 s, at 12:00:10 UTC, where it stopped",
    "── attempt 2 begins by itself: demo goes on where it stopped",
    "> Your previous attempt was interrupted",
    // What becomes of it is the task's to decide: nobody is asked to resolve the prompt.
    "── turn 2 was interrupted: The agent was killed.",
    "── attempt 2 timed_out, 0 files changed",
    "── IN_PROGRESS → FAILED",
    `Go on with \`reprise task retry ${TASK}\`, start over with \`reprise task retry ${TASK} --fresh\`, or add what was missing with \`reprise task update ${TASK} --context "…"\`.`,
    "",
  ]);
  assert.equal(code, 1);
});

test("task follow --json prints the task's events from the first one on, and only those", async (t) => {
  const server = await fakeServer(t, {
    showTask: () => sampleTask({ state: "DONE", last_seq: 4 }),
  });
  server.publishOfTask(
    ...numberedOfTask(1, [
      attemptStarted(),
      promptQueued,
      taskBecame("TODO", "REVIEW"),
      taskBecame("REVIEW", "DONE"),
    ]),
  );
  const { code, stdout } = await runCli(t, ["task", "follow", TASK, "--json"], {
    url: server.url,
  });
  assert.equal(code, 0);
  const seqs = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).seq);
  assert.deepEqual(seqs, [1, 2, 3, 4]);
});

test("task follow of a task that waits for somebody says so and ends: 0 for REVIEW and DONE, 1 for FAILED and CANCELLED", async (t) => {
  for (const [state, expected] of [
    ["REVIEW", 0],
    ["CANCELLED", 1],
  ] as const) {
    const server = await fakeServer(t, {
      showTask: () => sampleTask({ state }),
      listAttempts: () => ({ attempts: [], next: null }),
    });
    const { code, stdout } = await runCli(t, ["task", "follow", TASK], {
      url: server.url,
    });
    assert.equal(code, expected, state);
    assert.match(stdout, new RegExp(`^${TASK} is ${state}: Fix the login\n.+`));
  }
});

test("Ctrl-C leaves the task alone and says how to come back", async (t) => {
  const server = await fakeServer(t, {
    showTask: () => sampleTask({ state: "IN_PROGRESS", last_seq: 1 }),
    listAttempts: () => ({ attempts: [], next: null }),
  });
  server.publishOfTask(
    ...numberedOfTask(1, [attemptStarted(), taskBecame("TODO", "IN_PROGRESS")]),
  );
  const { code, stderr } = await runCli(t, ["task", "follow", TASK], {
    url: server.url,
    watch: (sofar, kill) => {
      if (sofar.includes("TODO → IN_PROGRESS")) kill("SIGINT");
    },
  });
  assert.equal(code, 130);
  assert.equal(
    stderr,
    `\nThe task goes on. Come back with \`reprise task follow ${TASK}\`.\n`,
  );
});
