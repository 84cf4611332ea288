import assert from "node:assert/strict";
import { test } from "node:test";
import { TaskId } from "../../../src/contract/base/id.ts";
import { newTask } from "../../../src/contract/task/new-task.ts";
import type { Task } from "../../../src/contract/task/task.ts";
import type { SessionsView } from "../store/sessions.ts";
import { Value } from "../store/value.ts";
import { budgetFrom, budgetTexts } from "./budget-form.ts";
import { taskItems } from "./list-items.ts";
import { formFrom, requestOf, textOf } from "./new-task-form.ts";
import { notesOf } from "./open/notes.ts";
import { OpenTask } from "./open/open-task.ts";
import { actionsOf, confirmationOf } from "./open/task-actions.ts";
import { TaskPages } from "./task-pages.ts";

const NOW = "2026-11-18T12:00:00.000Z";

const aTask = (number: number, more: Partial<Task> = {}): Task => ({
  ...newTask({
    id: TaskId.parse(`tsk_${String(number).padStart(26, "0")}`),
    title: `Task ${number}`,
    description: "",
    created_at: NOW,
  }),
  ...more,
});

const lists = (...tasks: Task[]): SessionsView => ({
  sessions: [],
  byId: new Map(),
  removed: new Set(),
  directories: [],
  tasks,
  hasMore: false,
  isLoaded: true,
});

test("[PAG-180] tasks are listed once by where they stand, the newest first, without those in the trash", () => {
  const items = taskItems(
    [
      aTask(1, { state: "DONE" }),
      aTask(2, { state: "FAILED" }),
      aTask(3, { state: "IN_PROGRESS", needs_permission: true }),
      aTask(4, { state: "IN_PROGRESS" }),
      aTask(5, { last_updated: "2026-11-18T12:00:01.000Z" }),
      aTask(6),
      aTask(7, { state: "REVIEW" }),
      aTask(8, { state: "CANCELLED", deleted_at: NOW }),
    ],
    "",
  );
  const words = items.map((item) =>
    item.kind === "head" ? `${item.name} ${item.count}` : item.task.title,
  );
  assert.deepEqual(words.toSorted(), [
    "Closed 1",
    "Needs you 2",
    "Review 1",
    "Task 1",
    "Task 2",
    "Task 3",
    "Task 4",
    "Task 5",
    "Task 6",
    "Task 7",
    "To do 2",
    "Working 1",
  ]);
  assert.deepEqual(
    words.filter((word) => !word.startsWith("Task")),
    ["Needs you 2", "Working 1", "Review 1", "To do 2", "Closed 1"],
  );
  assert.ok(words.indexOf("Task 5") < words.indexOf("Task 6"));
  const found = taskItems([aTask(1), aTask(2)], "task 2");
  assert.deepEqual(
    found.map(({ key }) => key.at(-1)),
    ["o", "2"],
  );
});

test("[PAG-180] a search reads all pages, and what the home tells meanwhile counts", async () => {
  const home = new Value(lists());
  const asked: unknown[] = [];
  const pages = new TaskPages(
    {
      listTasks: (query) => {
        asked.push(query?.after ?? null);
        return Promise.resolve(
          query?.after === undefined
            ? { tasks: [aTask(1)], next: "more" }
            : { tasks: [aTask(2)], next: null },
        );
      },
    },
    home,
  );
  const end = pages.open();
  await pages.loadAll();
  assert.deepEqual(asked, [null, "more"]);
  home.set(lists(aTask(2, { title: "Changed", last_seq: 9 }), aTask(3)));
  assert.deepEqual(
    pages.get().tasks.map(({ title }) => title),
    ["Task 1", "Changed", "Task 3"],
  );
  end();
});

test("[PAG-185] a task is read again when the home tells that it changed, its journal from where it was read", async () => {
  const home = new Value(lists(aTask(1)));
  const cursors: number[] = [];
  let seq = 2;
  const open = new OpenTask(
    {
      showTask: () => Promise.resolve(aTask(1, { last_seq: seq })),
      listAttempts: () => Promise.resolve({ attempts: [], next: null }),
      listTaskEvents: (id, query) => {
        const after = query?.after ?? 0;
        cursors.push(after);
        const events = Array.from({ length: seq - after }, (_, i) => ({
          seq: after + i + 1,
          at: NOW,
          task_id: TaskId.parse(id),
          type: "task.retry.called_off" as const,
          data: {},
        }));
        return Promise.resolve({ events, next: null });
      },
    },
    home,
    aTask(1).id,
  );
  const end = open.open();
  await open.read();
  seq = 5;
  home.set(lists(aTask(1, { last_seq: 5 })));
  await open.read();
  const view = open.get();
  assert.equal(view.kind === "open" && view.events.length, 5);
  assert.ok(cursors.includes(2));
  end();
});

test("[PAG-183] at most one action is suggested, by how the task stands", () => {
  const of = (more: Partial<Task>) => actionsOf(aTask(1, more));
  assert.equal(of({}).suggested, "run");
  assert.equal(of({ state: "FAILED", attempts: 1 }).suggested, "continue");
  assert.equal(of({ state: "REVIEW", attempts: 1 }).suggested, "done");
  const working = of({ state: "IN_PROGRESS", attempts: 1 });
  assert.equal(working.suggested, null);
  assert.ok(!working.others.includes("continue"));
  assert.equal(working.context, "this attempt");
  const waiting = of({ state: "IN_PROGRESS", attempts: 1, retry_at: NOW });
  assert.ok(waiting.others.includes("continue"));
  assert.deepEqual(of({ state: "DONE", attempts: 1, closed_at: NOW }), {
    suggested: null,
    others: ["delete"],
    context: null,
  });
  const reached = {
    limits: { turns: 1 },
    spent: { turns: 1, minutes: 0, tokens: null, cost: null },
    reached: "turns" as const,
  };
  const stopped = aTask(1, { state: "FAILED", attempts: 1, budget: reached });
  assert.equal(actionsOf(stopped).suggested, null);
  const [note] = notesOf(stopped, null, { now: 0, agentName: String });
  assert.match(note?.text ?? "", /used up: 1 of 1 turns/);
});

test("[PAG-36] a task says when it tries again by itself, on whichever day", () => {
  const now = new Date(2026, 10, 18, 23, 59, 30).getTime();
  const said = (seconds: number): string | undefined => {
    const retry_at = new Date(now + seconds * 1000).toISOString();
    const task = aTask(1, { state: "IN_PROGRESS", attempts: 1, retry_at });
    return notesOf(task, null, { now, agentName: String })[0]?.text;
  };
  assert.equal(said(10), "It tries again by itself at 23:59.");
  assert.equal(said(60), "It tries again by itself tomorrow at 00:00.");
});

test("[PAG-183] what is final is asked for twice", () => {
  const open = aTask(1, { state: "IN_PROGRESS", attempts: 1 });
  assert.match(confirmationOf("cancel", open) ?? "", /final/);
  assert.match(confirmationOf("done", open) ?? "", /stopped/);
  assert.match(confirmationOf("delete", open) ?? "", /cancelled first/);
  assert.equal(confirmationOf("continue", open), null);
  const closed = aTask(1, { state: "DONE", closed_at: NOW });
  assert.equal(confirmationOf("delete", closed), null);
});

test("[PAG-186] an empty budget is none, and what is no amount is not sent", () => {
  assert.equal(budgetFrom(budgetTexts()), null);
  assert.deepEqual(budgetFrom({ ...budgetTexts(), turns: "3", cost: "1,5" }), {
    turns: 3,
    cost: 1.5,
  });
  for (const turns of ["0", "-1", "1.5", "many"])
    assert.equal(budgetFrom({ ...budgetTexts(), turns }), "wrong");
});

test("[PAG-184] a form is read back as it was kept, and sent only when it is whole", () => {
  const empty = formFrom("no form");
  assert.equal(requestOf(empty), null);
  const form = { ...empty, title: " Fix it ", directory: "/work" };
  assert.deepEqual(formFrom(textOf(form)), form);
  assert.deepEqual(requestOf(form), {
    title: "Fix it",
    description: "",
    agent: "demo",
    cwd: "/work",
  });
  const worktree = { ...form, isWorktree: true };
  assert.equal(requestOf(worktree)?.worktree, "/work");
  assert.equal(requestOf({ ...worktree, directory: "" }), null);
});
