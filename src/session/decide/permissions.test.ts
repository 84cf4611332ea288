import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import type { Command } from "../state/command.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { listedViewOf } from "../view/listed-view.ts";
import { MAX_PENDING } from "../evolve/permissions.ts";
import { askItem, execution, Story } from "../testing.ts";
import { MAX_DESCRIBED } from "../state/tool-calls.ts";
import { viewOf } from "../view/view.ts";

test("[SES-16] [P5] a permission is answered once, with one of its options", () => {
  const story = new Story().up().queue(1).deliver(1);
  const id = permissionId(1, 10);
  story.report(askItem(id, story.words(5)));
  story
    .when({
      type: "permission.answer",
      permission_id: id,
      option_id: "maybe",
    })
    .thenRefused("unknown_option");
  story.given({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  assert.deepEqual(intend(story.state), [
    {
      kind: "answer",
      execution_id: execution(1),
      epoch: 1,
      permission_id: id,
      option_id: "yes",
    },
  ]);
  const known: Permission = {
    ...story.last("session.permission.requested").permission,
    state: "answered",
    option_id: "yes",
  };
  const answer = (option_id: string): Command => ({
    type: "permission.answer",
    permission_id: id,
    option_id,
    known,
  });
  story.given(answer("yes"));
  story.when(answer("no")).thenRefused("permission_closed");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.deepEqual(intend(story.state), []);
  // The same answer again is no error, also when the agent has it.
  story.given(answer("yes"));
  story.when(answer("no")).thenRefused("permission_closed");
  story
    .when({
      type: "permission.answer",
      permission_id: permissionId(9, 9),
      option_id: "yes",
    })
    .thenRefused("permission_not_found");
});

test("[SES-17] cancelling a turn closes its permissions and is told to the agent after the prompt is", () => {
  const story = new Story().up().queue(1);
  story.given({ type: "turn.cancel" });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["deliver"],
  );
  story.deliver(1);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["cancel"],
  );
  story.endTurn(1, "cancelled");
  assert.equal(story.last("session.turn.ended").outcome, "cancelled");
});

test("[SES-36] [P5] beyond a hundred that wait, a request is closed with a reason and the agent is told", () => {
  const story = new Story().up().queue(1).deliver(1);
  const ask = (n: number) =>
    story.report(askItem(permissionId(1, 1000 + n), story.words(2)));
  for (let n = 1; n <= MAX_PENDING; n += 1) ask(n);
  assert.equal(story.state.permissions.pending.length, MAX_PENDING);
  ask(0);
  assert.equal(story.state.permissions.pending.length, MAX_PENDING);
  const id = permissionId(1, 1000);
  assert.deepEqual(story.last("session.permission.closed"), {
    id,
    reason: "too_many",
  });
  const told = intend(story.state).filter(({ kind }) => kind === "answer");
  assert.deepEqual(
    told.map((intent) => intent.kind === "answer" && intent.option_id),
    [null],
  );
  story
    .when({
      type: "permission.answer",
      permission_id: id,
      option_id: "yes",
      known: {
        ...story.last("session.permission.requested").permission,
        state: "closed",
        reason: "too_many",
      },
    })
    .thenRefused("permission_closed");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.deepEqual(
    intend(story.state).filter(({ kind }) => kind === "answer"),
    [],
  );
  // There is room again as soon as one of them has its answer.
  story.given({
    type: "permission.answer",
    permission_id: permissionId(1, 1001),
    option_id: "yes",
  });
  ask(500);
  assert.equal(
    story.state.permissions.pending.at(-1)?.id,
    permissionId(1, 1500),
  );
  checkInvariants(story.events);
});

test("[SES-16] [SES-34] answers that the agent has not got are handed over a few at a time, each until it is delivered", () => {
  const story = new Story().up().queue(1).deliver(1);
  for (let n = 1; n <= 40; n += 1) {
    const id = permissionId(1, n);
    story.report(askItem(id, story.words(2)));
    story.given({
      type: "permission.answer",
      permission_id: id,
      option_id: "yes",
    });
  }
  const delivered = new Set<string>();
  for (;;) {
    const next = intend(story.state).find(({ kind }) => kind === "answer");
    if (next?.kind !== "answer") break;
    const { permission_id } = next;
    delivered.add(permission_id);
    story.report({ kind: "answer_delivered", range: null, permission_id });
  }
  assert.equal(delivered.size, 40);
});

const about = (story: Story) =>
  story.last("session.permission.requested").permission.tool;

test("[SES-59] [P5] a request tells the tool call it is about: from the request, and from what the call told before", () => {
  const story = new Story().up().queue(1).deliver(1);
  const tell = (tool: Tool) =>
    story.report({ kind: "tool", range: story.words(5), tool });
  tell({ id: "t1", title: "Terminal", kind: "execute", status: "pending" });
  tell({ id: "t1", input: { command: "git push --force" } });
  tell({ id: "t2", title: "ls", kind: "execute", input: { command: "ls" } });
  const ask = (
    id: number,
    overrides: Partial<Extract<ReportItem, { kind: "permission_requested" }>>,
  ) => story.report(askItem(permissionId(1, id), story.words(5), overrides));
  ask(10, { tool_call_id: "t1", tool: { id: "t1", title: "git push" } });
  assert.deepEqual(about(story), {
    id: "t1",
    kind: "execute",
    title: "git push",
    command: "git push --force",
    paths: [],
    diff: null,
    input: null,
  });
  assert.deepEqual(
    viewOf(story.state).pending_permissions[0]?.tool,
    about(story),
  );

  const diffs = [{ path: "/w/a", old_text: "one\n", new_text: "two\n" }];
  tell({ id: "t3", title: "Edit files", kind: "edit", diffs });
  ask(11, { tool_call_id: "t3", tool_kind: "edit", title: "Edit files" });
  assert.deepEqual(about(story)?.paths, ["/w/a"]);
  assert.equal(
    about(story)?.diff,
    "--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-one\n+two\n",
  );

  ask(12, { tool_call_id: "t9", tool: { id: "t9", input: { sql: "DROP" } } });
  assert.equal(about(story)?.input, '{"sql":"DROP"}');
  assert.equal(about(story)?.command, null, "nothing of another call");
  checkInvariants(story.events);
});

test("[SES-59] of a long file the part that differs is told", () => {
  const story = new Story().up().queue(1).deliver(1);
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`);
  const old_text = lines.join("");
  const new_text = old_text.replace("line 15000\n", "changed\n");
  const tool = { id: "t1", diffs: [{ path: "/w/a", old_text, new_text }] };
  story.report(
    askItem(permissionId(1, 10), story.words(5), { tool_call_id: "t1", tool }),
  );
  assert.match(about(story)?.diff ?? "", /\n-line 15000\n\+changed\n/);
});

test("[SES-59] what a request tells has an end, and says where it was cut", () => {
  const story = new Story().up().queue(1).deliver(1);
  const long = "x".repeat(3_000_000);
  const tool: Tool = {
    id: "t1",
    title: long,
    input: { command: long, path: long },
    locations: Array.from({ length: 1000 }, (_, n) => ({ path: `/w/${n}` })),
    diffs: [
      { path: "/w/a", old_text: null, new_text: `a\n${"b\n".repeat(50_000)}` },
    ],
  };
  story.report({ kind: "tool", range: story.words(5), tool });
  story.report(
    askItem(permissionId(1, 10), story.words(5), { tool_call_id: "t1", tool }),
  );
  const told = about(story);
  assert.ok(JSON.stringify(told).length < 100_000);
  assert.deepEqual(told?.shortened?.toSorted(), [
    "command",
    "diff",
    "paths",
    "title",
  ]);
  assert.ok(JSON.stringify(listedViewOf(story.state)).length < 64 * 1024);
  const more = Array.from({ length: 2 * MAX_DESCRIBED }, (_, n) => ({
    kind: "tool" as const,
    range: { from: story.words(0).from + n, to: story.words(0).from + n + 1 },
    tool: { id: `more ${n}`, title: "t" },
  }));
  story.report(...more);
  assert.equal(story.state.output.tools.described.length, MAX_DESCRIBED);
});

test("[SES-59] a call that is over is no longer held", () => {
  const story = new Story().up().queue(1).deliver(1);
  const tell = (tool: Tool) =>
    story.report({ kind: "tool", range: story.words(5), tool });
  tell({ id: "t1", title: "one", status: "in_progress" });
  tell({ id: "t2", title: "two" });
  tell({ id: "t1", status: "completed" });
  assert.deepEqual(
    story.state.output.tools.described.map(({ id }) => id),
    ["t2"],
  );
});
