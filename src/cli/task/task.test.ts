import assert from "node:assert/strict";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { AT, SESSION } from "../fixtures/sample.ts";
import { TASK, sampleAttempt, sampleTask } from "../fixtures/sample-task.ts";

const place = async (t: TestContext): Promise<string> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "reprise-task-")));
  t.after(() => rm(path, { recursive: true }));
  return path;
};

test("task create sends the place, the limits and every text", async (t) => {
  const server = await fakeServer(t, { createTask: () => sampleTask() });
  const cwd = await place(t);
  await writeFile(join(cwd, "plan.md"), "the plan");
  await writeFile(join(cwd, "api.md"), "the interface");
  const { code, stdout, stderr } = await runCli(
    t,
    [
      "task",
      "create",
      "Fix the login",
      "--description",
      "@plan.md",
      "--name",
      "login",
      "--agent",
      "demo-inject",
      "--timeout",
      "30m",
      "--model",
      "large",
      "--permissions",
      "allow-read",
      "--retries",
      "3",
      "--context",
      "api.md",
      "--context",
      "-",
      "--context",
      "Keep https://example.org/a working.",
    ],
    { url: server.url, cwd, input: "from a pipe" },
  );
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(
    stdout,
    `${TASK}: created.\nRun it with \`reprise task run ${TASK}\`.\n`,
  );
  assert.deepEqual(server.asked[0]?.body, {
    title: "Fix the login",
    description: "the plan",
    name: "login",
    agent: "demo-inject",
    cwd,
    model: "large",
    permissions: { default: "allow-read", rules: [] },
    timeout_minutes: 30,
    retry: { limit: 3, backoff_seconds: 10, most_seconds: 600 },
    context: [
      { name: "api.md", text: "the interface" },
      { text: "from a pipe" },
      { text: "Keep https://example.org/a working." },
    ],
    run: false,
  });
});

test("task create refuses what cannot be meant, before anything is sent", async (t) => {
  const server = await fakeServer(t, {});
  const cwd = await place(t);
  const words: [string[], RegExp][] = [
    [["--follow"], /give --run too/],
    [["--cwd", ".", "--worktree", "."], /either --cwd or --worktree/],
    [["--context", "docs/missing.md"], /there is no file .*docs\/missing\.md/],
    [["--context", "."], /looks like a path/],
    [["--timeout", "soon"], /a time such as 90s, 45m or 2h/],
    [["--context", "-", "--context", "-"], /once only/],
  ];
  for (const [more, message] of words) {
    const { code, stderr } = await runCli(
      t,
      ["task", "create", "T", "--description", "d", ...more],
      { url: server.url, cwd },
    );
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual(server.asked, []);
});

test("task show tells state, place, versions, attempts and the next step; with --json the task with its attempts", async (t) => {
  const status = {
    session_id: SESSION,
    attempts: 2,
    context_version: 2,
    last_updated: AT,
  };
  const task = sampleTask({
    ...status,
    status,
    name: "login",
    state: "FAILED",
    agent: "demo",
    timeout_minutes: 30,
    contexts: [{ version: 2, name: "api.md", text: "more\x1b[2J", at: AT }],
    session_ids: [SESSION],
  });
  const attempts = [
    sampleAttempt({
      state: "ended",
      outcome: "succeeded",
      files_changed: [{ path: "a.ts", change: "added" }],
      files_left_out: 2,
      ended_at: "2026-03-01T12:00:12.000Z",
    }),
    sampleAttempt({
      number: 2,
      mode: "update",
      state: "ended",
      outcome: "interrupted",
      reason: "the agent was killed",
      grade: "native",
      ended_at: "2026-03-01T12:02:00.000Z",
    }),
  ];
  const server = await fakeServer(t, {
    showTask: () => task,
    listAttempts: () => ({ attempts, next: null }),
  });
  const given = { url: server.url };
  const { code, stdout } = await runCli(t, ["task", "show", TASK], given);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${TASK}  login  Fix the login\n`));
  assert.match(stdout, /^ {2}state +FAILED$/m);
  assert.match(stdout, /^ {2}directory +\/work$/m);
  assert.match(stdout, /^ {2}time +30 min for an attempt$/m);
  assert.match(
    stdout,
    /^ {2}context +version 2, 1 addition\n +2 {2}api\.md: more$/m,
  );
  assert.match(
    stdout,
    new RegExp(`1 +first +demo +succeeded +- +3 +12 s +${SESSION}\n`),
  );
  assert.match(
    stdout,
    new RegExp(
      `2 +update +demo +interrupted +native +\\? +2 min +${SESSION} +the agent was killed\n`,
    ),
  );
  assert.match(
    stdout,
    new RegExp(`^ {2}next .*reprise task retry ${TASK}`, "m"),
  );

  const document = await runCli(t, ["task", "show", TASK, "--json"], given);
  assert.deepEqual(JSON.parse(document.stdout), {
    ...task,
    attempt_list: attempts,
  });
  const table = await runCli(t, ["task", "attempts", TASK], given);
  assert.match(table.stdout, /^NO +MODE .*REASON\n1 .*\n2 .*\n$/);
});

test("task run and retry ask for what was said, and no more", async (t) => {
  const running = sampleTask({ state: "IN_PROGRESS", attempts: 2 });
  const server = await fakeServer(t, {
    runTask: () => running,
    retryTask: () => running,
    showTaskByName: () => sampleTask({ name: "login" }),
  });
  const bodies: [string[], unknown][] = [
    [["run", TASK], {}],
    [["run", "login", "--agent", "demo-fresh"], { agent: "demo-fresh" }],
    [["retry", TASK], {}],
    [["retry", TASK, "--continue-session"], { mode: "continue" }],
    [
      ["retry", TASK, "--fresh", "--agent", "demo"],
      { mode: "fresh", agent: "demo" },
    ],
  ];
  for (const [argv, body] of bodies) {
    const { code, stdout } = await runCli(t, ["task", ...argv], {
      url: server.url,
    });
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^${TASK}: .* begins\\.\nWatch it with`));
    assert.deepEqual(server.asked.at(-1)?.body, body);
    assert.equal(server.asked.at(-1)?.params["id"], TASK);
  }
});

test("task retry takes one way only, exit 2; a refusal is 4, an unknown name is 3", async (t) => {
  const server = await fakeServer(t, {
    retryTask: () => {
      throw refusal("wrong_state", "Attempt 1 is not over.");
    },
    showTaskByName: () => {
      throw refusal("task_not_found");
    },
  });
  const given = { url: server.url };
  const both = await runCli(
    t,
    ["task", "retry", TASK, "--continue-session", "--fresh"],
    given,
  );
  assert.equal(both.code, 2);
  assert.match(both.stderr, /either --continue-session or --fresh/);
  assert.equal((await runCli(t, ["task", "retry", TASK], given)).code, 4);
  const unknown = await runCli(t, ["task", "retry", "no-such"], given);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /There is no task "no-such"/);
});

test("[TSK-67] task update --budget changes what is named and leaves the rest, and says what is left", async (t) => {
  const spent = { turns: 2, minutes: 1, tokens: null, cost: null };
  const before = { limits: { turns: 2, minutes: 9 }, spent, reached: "turns" };
  const after = { limits: { turns: 5, minutes: 9 }, spent, reached: null };
  const server = await fakeServer(t, {
    showTask: () => ({ ...sampleTask(), budget: before }),
    changeTask: () => ({
      ...sampleTask(),
      state: "IN_PROGRESS",
      budget: after,
    }),
  });
  const { code, stdout } = await runCli(
    t,
    ["task", "update", TASK, "--budget", "turns=5"],
    { url: server.url },
  );
  assert.equal(code, 0);
  assert.match(stdout, /spent turns 2 of 5, minutes 1 of 9; it goes on\.\n/);
  assert.deepEqual(server.asked.at(-1)?.body, {
    budget: { turns: 5, minutes: 9 },
  });
});

test("[SES-120] --on-quota is refused in the words of the command line, before anything is sent", async (t) => {
  const server = await fakeServer(t, { createTask: () => sampleTask() });
  const create = ["task", "create", "Count", "--description", "count 5 200"];
  const wrong = await runCli(t, [...create, "--on-quota", "handoff:a,a"], {
    url: server.url,
  });
  assert.equal(wrong.code, 2);
  assert.match(
    wrong.stderr,
    /--on-quota "handoff:a,a": names an agent twice\./,
  );
  const right = await runCli(t, [...create, "--on-quota", "continue"], {
    url: server.url,
  });
  assert.equal(right.code, 0);
  assert.partialDeepStrictEqual(server.asked.at(-1)?.body, {
    on_quota: "continue",
  });
});

test("task update adds texts and files in their order, and says what becomes of them", async (t) => {
  const server = await fakeServer(t, {
    addContext: () => sampleTask({ context_version: 3 }),
    showTask: () => sampleTask(),
    listAttempts: () => ({ attempts: [], next: null }),
  });
  const cwd = await place(t);
  await writeFile(join(cwd, "review.md"), "too slow");
  const { code, stdout } = await runCli(
    t,
    [
      "task",
      "update",
      TASK,
      "--context",
      "and be quick",
      "--context",
      "review.md",
      "--follow",
    ],
    { url: server.url, cwd },
  );
  assert.equal(code, 0);
  // It was never run: there is nothing to watch.
  assert.match(
    stdout,
    /: version 3 is recorded, and told when the task runs\.\n/,
  );
  assert.deepEqual(server.asked.at(-1)?.body, {
    contexts: [
      { text: "and be quick" },
      { name: "review.md", text: "too slow" },
    ],
  });
  const nothing = await runCli(t, ["task", "update", TASK], {
    url: server.url,
  });
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /--context and --budget are missing/);
});

test("[TSK-36] task done and task cancel close a task and say what that cuts short", async (t) => {
  const server = await fakeServer(t, {
    showTask: () => before,
    finishTask: () => sampleTask({ state: "DONE" }),
    cancelTask: () => sampleTask({ state: "CANCELLED" }),
  });
  let before = sampleTask({ state: "REVIEW", attempts: 1 });
  const given = { url: server.url };
  const done = await runCli(t, ["task", "done", TASK], given);
  assert.equal(
    done.stdout,
    `${TASK}: it is DONE.\nIt is closed: nothing is left to do.\n`,
  );
  const cancelled = await runCli(t, ["task", "cancel", TASK], given);
  assert.match(cancelled.stdout, /it is CANCELLED\.\n/);
  before = sampleTask({ state: "IN_PROGRESS", attempts: 2 });
  const early = await runCli(t, ["task", "done", TASK], given);
  assert.match(early.stdout, /Attempt 2 was under way and is stopped/);
  before = { ...before, retry_at: AT };
  const waiting = await runCli(t, ["task", "cancel", TASK], given);
  assert.match(waiting.stdout, /retry that was to come is called off\.\n/);
});

test("task list names what people call their tasks", async (t) => {
  const server = await fakeServer(t, {
    listTasks: () => ({
      tasks: [sampleTask({ name: "login", attempts: 2, state: "REVIEW" })],
      next: null,
    }),
  });
  const { stdout } = await runCli(t, ["task", "list"], { url: server.url });
  assert.match(
    stdout,
    new RegExp(`^ID .*\n${TASK} +REVIEW +2 +.* +login +Fix the login\n$`),
  );
});
