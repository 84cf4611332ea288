import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Task } from "../../contract/task/task.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";
import {
  TASK,
  numberedOfTask,
  sampleTask,
  taskBecame,
} from "../fixtures/sample-task.ts";
import { taskDocuments } from "./task-documents.ts";

const TWO = `# two of them
apiVersion: reprise/v1
kind: Task
name: parser
title: Port the parser
description: |
  All of it.
agent: demo
cwd: project
timeout_minutes: 30
retry: { limit: 3 }
context:
  - keep the names
  - { name: api.md, text: the interface }
run: true
---
apiVersion: reprise/v1
kind: Task
name: docs
title: Write it down
worktree: /repo
permissions: { default: allow-read, rules: [] }
`;

const place = async (t: TestContext): Promise<string> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), "reprise-apply-")));
  t.after(() => rm(path, { recursive: true }));
  return path;
};

test("apply makes tasks what a file describes: created, updated or unchanged", async (t) => {
  const tasks = new Map<string, Task>();
  const server = await fakeServer(t, {
    showTaskByName: ({ params }) => {
      const task = tasks.get(params["name"] ?? "");
      if (task !== undefined) return task;
      throw refusal("task_not_found");
    },
    applyTask: ({ params }) => {
      const name = params["name"] ?? "";
      const before = tasks.get(name);
      // `docs` is never again what it was; `parser` only runs.
      const task = sampleTask({ name, last_seq: (before?.last_seq ?? 0) + 1 });
      tasks.set(name, task);
      return task;
    },
    listTaskEvents: () => ({ events: events.shift(), next: null }),
  });
  const events = [
    numberedOfTask(2, [taskBecame("TODO", "IN_PROGRESS")]),
    numberedOfTask(2, [
      { type: "task.context.added", data: { version: 2, text: "more" } },
    ]),
  ];
  const cwd = await place(t);
  await mkdir(join(cwd, "deep/project"), { recursive: true });
  await writeFile(join(cwd, "deep/tasks.yaml"), TWO);
  const argv = ["apply", "-f", "deep/tasks.yaml"];
  const given = { url: server.url, cwd };
  const first = await runCli(t, argv, given);
  assert.deepEqual(first, {
    code: 0,
    stderr: "",
    stdout: `parser created: ${TASK} is TODO.\ndocs created: ${TASK} is TODO.\n`,
  });
  const bodies = server.asked
    .filter(({ name }) => name === "applyTask")
    .map(({ body }) => body);
  assert.deepEqual(bodies, [
    {
      title: "Port the parser",
      description: "All of it.\n",
      agent: "demo",
      cwd: join(cwd, "deep/project"),
      timeout_minutes: 30,
      retry: { limit: 3, backoff_seconds: 10, most_seconds: 600 },
      context: [
        { text: "keep the names" },
        { name: "api.md", text: "the interface" },
      ],
      run: true,
    },
    {
      title: "Write it down",
      description: "",
      worktree: "/repo",
      permissions: { default: "allow-read", rules: [] },
      retry: { limit: 0, backoff_seconds: 10, most_seconds: 600 },
      context: [],
      run: false,
    },
  ]);
  const again = await runCli(t, [...argv, "--json"], given);
  assert.deepEqual(
    again.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).change),
    ["unchanged", "updated"],
  );
});

test("apply reads standard input, and paths in it are relative to this directory", async (t) => {
  const server = await fakeServer(t, {
    showTaskByName: () => {
      throw refusal("task_not_found");
    },
    applyTask: () => sampleTask({ name: "n" }),
  });
  const cwd = await place(t);
  const { code, stdout } = await runCli(t, ["apply", "-f", "-"], {
    url: server.url,
    cwd,
    input: "apiVersion: reprise/v1\nkind: Task\nname: n\ntitle: T\n",
  });
  assert.equal(code, 0);
  assert.match(stdout, /^n created/);
  assert.deepEqual(server.asked.at(-1)?.body, {
    title: "T",
    description: "",
    cwd,
    retry: { limit: 0, backoff_seconds: 10, most_seconds: 600 },
    context: [],
    run: false,
  });
});

test("a refusal names the document that it is about", async (t) => {
  const server = await fakeServer(t, {
    showTaskByName: () => sampleTask({ name: "docs" }),
    applyTask: ({ params }) => {
      if (params["name"] === "parser") return sampleTask({ name: "parser" });
      throw refusal("wrong_state", "Agents have been told the title.");
    },
  });
  const { code, stdout, stderr } = await runCli(t, ["apply", "-f", "-"], {
    url: server.url,
    input: TWO,
  });
  assert.equal(code, 4);
  assert.match(stdout, /^parser unchanged/);
  assert.match(
    stderr,
    /standard input, document 2, line 17, task docs: Agents have been told the title\./,
  );
});

test("what is wrong in a file is told with document and line, all at once, and nothing is applied", async () => {
  const text = `apiVersion: reprise/v2
kind: Task
name: "not a name"
title: T
desciption: x
caller_env: { A: b }
retry:
  limit: 3
  most: 4
timeout_minutes: soon
---
kind: Session
---
apiVersion: reprise/v1
kind: Task
name: twice
title: T
cwd: a
worktree: b
---
apiVersion: reprise/v1
kind: Task
name: bad
title: [
---
- 1
`;
  await assert.rejects(taskDocuments(text, "tasks.yaml"), (error: Error) => {
    const [head, ...faults] = error.message.split("\n");
    assert.equal(head, "Nothing was applied.");
    const at = faults.map((fault) =>
      fault.replace("tasks.yaml, document ", ""),
    );
    for (const expected of [
      /^1, line 1: apiVersion must be reprise\/v1, not "reprise\/v2"\.$/,
      /^1, line 3: name must be given: /,
      /^1, line 5: unknown field "desciption"\. Did you mean "description"\?$/,
      /^1, line 6: unknown field "caller_env"\.$/,
      /^1, line 9: unknown field "most"\.$/,
      /^1, line 10: timeout_minutes: /,
      /^2, line 12: apiVersion must be reprise\/v1\.$/,
      /^2, line 12: kind must be Task, not "Session"\.$/,
      /^3, line 14: give either cwd or worktree\.$/,
      /^4, line 2\d: /,
      /^5, line 26: it must be a mapping/,
    ])
      assert.ok(
        at.some((fault) => expected.test(fault)),
        `${expected} in\n${at.join("\n")}`,
      );
    return true;
  });
});

test("a name that stands twice, and a file that says nothing, are refused", async () => {
  const task = "apiVersion: reprise/v1\nkind: Task\nname: n\ntitle: T\n";
  await assert.rejects(
    taskDocuments(`${task}---\n${task}`, "f"),
    /f, document 2, line 8: "n" is the name of an earlier document too/,
  );
  await assert.rejects(
    taskDocuments("# nothing\n---\n", "f"),
    /describes nothing/,
  );
  assert.equal((await taskDocuments(`${task}---\n`, "f")).length, 1);
});
