import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../contract/id.ts";
import type { Snapshot } from "../../runtime/ports/store.ts";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import {
  append,
  at,
  executionId,
  executorRow,
  promptId,
  queued,
  receiptOf,
  said,
  sessionId,
  sessionView,
  taskId,
  taskRecord,
} from "./sample.ts";

export const recordRules = (open: OpenStore): void => {
  const one = sessionId(1);
  const two = sessionId(2);

  void test("load says where a session ends, and that there is no snapshot", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    assert.equal(await store.load(one, 1), null);
    await store.append(append(term, one, 0, 3));
    assert.deepEqual(await store.load(one, 1), { snapshot: null, last_seq: 3 });
  });

  void test("load gives the newest snapshot of the version", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.append(append(term, one, 0, 2, { snapshot: snapshot(1, 2) }));
    await store.append(append(term, one, 2, 2, { snapshot: snapshot(1, 4) }));
    await store.append(append(term, one, 4, 1));
    assert.deepEqual(await store.load(one, 1), {
      snapshot: snapshot(1, 4),
      last_seq: 5,
    });
    assert.deepEqual(await store.load(one, 2), { snapshot: null, last_seq: 5 });
  });

  void test("[STO-47] a snapshot of a newer version leaves the one that an older server reads, and no third", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const kept = async () => {
      const found: [number, number][] = [];
      for (const version of [1, 2, 3, 4]) {
        const loaded = await store.load(one, version);
        if (loaded?.snapshot) found.push([version, loaded.snapshot.seq]);
      }
      return found;
    };
    let last = 0;
    const put = async (version: number): Promise<void> => {
      const given = { snapshot: snapshot(version, last + 1) };
      await store.append(append(term, one, last, 1, given));
      last += 1;
    };
    await put(1);
    await put(2);
    assert.deepEqual(await kept(), [
      [1, 1],
      [2, 2],
    ]);
    await put(1);
    await put(3);
    assert.deepEqual(await kept(), [
      [2, 2],
      [3, 4],
    ]);
    await put(1);
    assert.deepEqual(await kept(), [
      [1, 5],
      [3, 4],
    ]);
    assert.deepEqual((await store.load(one, 3))?.snapshot, snapshot(3, 4));
  });

  void test("a session is the last view that was given", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    assert.equal(await store.session(one), null);
    await store.append(append(term, one, 0));
    const view = sessionView(one, {
      state: "RUNNING",
      name: "été ☀",
      last_seq: 2,
    });
    await store.append(append(term, one, 1, 1, { view }));
    assert.deepEqual(await store.session(one), view);
  });

  void test("a prompt keeps its text while its state and turn change", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const id = promptId(1);
    const text = `deux mots ${"é".repeat(100_000)}`;
    await store.append(
      append(term, one, 0, 0, {
        events: [said(one, 1), queued(one, 2, id, text)],
        prompts: [{ id, state: "queued", turn: null, seq: 2 }],
      }),
    );
    const waiting = { id, session_id: one, state: "queued", turn: null, text };
    assert.deepEqual(await store.prompt(one, id), waiting);
    await store.append(
      append(term, one, 2, 1, { prompts: [{ id, state: "running", turn: 1 }] }),
    );
    const running = { id, session_id: one, state: "running", turn: 1, text };
    assert.deepEqual(await store.prompt(one, id), running);
    assert.equal(await store.prompt(two, id), null);
    assert.equal(await store.prompt(one, promptId(2)), null);
  });

  void test("a prompt may be given and change in one append", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const id = promptId(1);
    await store.append(
      append(term, one, 0, 0, {
        events: [queued(one, 1, id, "hello")],
        prompts: [
          { id, state: "queued", turn: null, seq: 1 },
          { id, state: "delivered", turn: 1 },
        ],
      }),
    );
    const found = await store.prompt(one, id);
    assert.deepEqual([found?.state, found?.text], ["delivered", "hello"]);
  });

  void test("a prompt that was never given cannot change, and nothing of that append stays", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const prompts = [{ id: promptId(1), state: "done" as const, turn: 1 }];
    await refused(
      store.append(append(term, one, 0, 1, { prompts })),
      "internal",
    );
    assert.equal(await store.session(one), null);
    assert.deepEqual(await store.events(one, 0, 10), []);
  });

  void test("[CPT-13] a prompt that is another session's is refused, and nothing of that append stays", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const id = promptId(1);
    const given = (session: SessionId, text: string) => ({
      events: [queued(session, 1, id, text)],
      prompts: [{ id, state: "queued" as const, turn: null, seq: 1 }],
    });
    await store.append(append(term, one, 0, 0, given(one, "mine")));
    await refused(
      store.append(append(term, two, 0, 0, given(two, "theirs"))),
      "unsafe_archive",
    );
    assert.equal(await store.session(two), null);
    assert.equal((await store.prompt(one, id))?.text, "mine");
    await store.append(append(term, two, 0, 1));
  });

  void test("one row of executors per session, those that run first", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const rows = [
      executorRow(sessionId(1), { id: executionId(1), status: "stopped" }),
      executorRow(sessionId(2), { id: executionId(2), status: "ready" }),
      executorRow(sessionId(3), {
        id: executionId(3),
        status: "starting",
        supports_session_resume: false,
        supports_workspace_only: true,
        task_id: taskId(1),
        agentctl_port: 7421,
        container_id: "c0ffee",
        pid: null,
        resume_token: "tok",
        last_message_id: "msg_4",
        worktree_id: "w",
        worktree_path: "/w",
        worktree_branch: "main",
        error_message: "noch nicht",
        last_seen_at: at(9),
        epoch: 7,
      }),
      executorRow(sessionId(4), {
        id: executionId(4),
        status: "error",
        last_seen_at: at(5),
      }),
    ];
    for (const executor of rows)
      await store.append(append(term, executor.session_id, 0, 1, { executor }));
    const [stopped, ready, starting, error] = rows;
    assert.deepEqual(await store.executors(), [
      starting,
      ready,
      error,
      stopped,
    ]);
    const again = executorRow(sessionId(1), {
      id: executionId(5),
      epoch: 2,
      last_seen_at: at(10),
    });
    await store.append(append(term, sessionId(1), 1, 1, { executor: again }));
    await store.append(append(term, sessionId(1), 2));
    assert.deepEqual(await store.executors(), [again, starting, ready, error]);
  });

  void test("the environment of a session is kept, and empty when none was given", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const env = { KEY: "välue", EMPTY: "", __proto__x: "y" };
    await store.append(append(term, one, 0, 1, { env }));
    await store.append(append(term, one, 1));
    await store.append(append(term, two, 0));
    assert.deepEqual(await store.env(one), env);
    assert.deepEqual(await store.env(two), {});
    assert.deepEqual(await store.env(sessionId(3)), {});
  });

  void test("[P1] a receipt is found by its scope and key", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const created = receiptOf("k");
    const prompted = { ...receiptOf("k", one), answer: "{}" };
    await store.append(append(term, one, 0, 1, { receipt: created }));
    await store.append(append(term, one, 1, 1, { receipt: prompted }));
    await store.createTask(term, taskRecord(1), receiptOf("k", "tasks"));
    assert.deepEqual(await store.receipt("sessions", "k"), created);
    assert.deepEqual(await store.receipt(one, "k"), prompted);
    assert.deepEqual(
      await store.receipt("tasks", "k"),
      receiptOf("k", "tasks"),
    );
    assert.equal(await store.receipt(two, "k"), null);
    assert.equal(await store.receipt("sessions", "K"), null);
  });

  void test("[API-107] a receipt takes the place of the one before it, and only the owner may write it", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const draft = { ...receiptOf("k", one), answer: "draft null" };
    const answer = { ...draft, answer: "{}" };
    await store.append(append(term, one, 0, 1, { receipt: draft }));
    assert.deepEqual(await store.receipt(one, "k"), draft);
    await store.putReceipt(term, answer);
    assert.deepEqual(await store.receipt(one, "k"), answer);
    await store.putReceipt(term, receiptOf("new", "gc"));
    assert.deepEqual(await store.receipt("gc", "new"), receiptOf("new", "gc"));
    await store.claim();
    await refused(store.putReceipt(term, draft), "superseded");
    assert.deepEqual(await store.receipt(one, "k"), answer);
  });

  void test("a task comes back as it was created", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    await store.createTask(term, taskRecord(1), null);
    assert.deepEqual(await store.task(taskId(1)), taskRecord(1));
    assert.equal(await store.task(taskId(2)), null);
  });
};

const snapshot = (version: number, seq: number): Snapshot => ({
  version,
  seq,
  state: JSON.stringify({ seq, text: "größer 🙂" }),
});
