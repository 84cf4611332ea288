import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "../../../src/kit/fixtures/patience.ts";
import { message, turnMark, turnView } from "./fixtures/messages.ts";
import { RowsOf, rowsOfTurn } from "./rows.ts";
import { isShiftedFrom, turnsInView } from "./window.ts";

const done = (kind: string) => ({ kind, status: "completed" as const });

test("[PAG-80] a turn is its prompt, what was said and done, and a foot", () => {
  const rows = rowsOfTurn(
    turnView({
      messages: [
        message(1, "user", "Fix it"),
        message(2, "thought", "Hm"),
        message(3, "agent", "I will."),
        message(4, "agent", "  \n"),
        message(5, "notice", "A notice"),
      ],
      afterwards: [
        {
          kind: "rest",
          at: "2026-11-18T09:00:00.000Z",
          resume: null,
          resumed_at: null,
        },
      ],
    }),
    null,
  );
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["prompt", "thought", "say", "notice", "foot", "mark"],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("[PAG-81] finished calls in a row fold; what runs, failed, was cut off or changed files stays in sight", () => {
  const messages = [
    message(1, "tool", "", done("read")),
    message(2, "tool", "", done("read")),
    message(3, "tool", "", done("search")),
    message(4, "tool", "", { kind: "execute", status: "failed" }),
    message(5, "tool", "", done("read")),
    message(6, "agent", "Then"),
    message(7, "tool", "", done("read")),
    message(8, "tool", "", {
      ...done("edit"),
      diffs: [{ path: "a", old_text: null, new_text: "b" }],
    }),
    message(9, "tool", "", { kind: "execute", status: "interrupted" }),
    message(10, "tool", "", { kind: "execute", status: "in_progress" }),
  ];
  const rows = rowsOfTurn(
    turnView({ messages, mark: turnMark({ outcome: "running" }) }),
    null,
  );
  assert.deepEqual(
    rows.map((row) =>
      row.kind === "tools" ? `tools ${row.messages.length}` : row.kind,
    ),
    [
      "tools 3",
      "tool",
      "tool",
      "say",
      "tool",
      "tool",
      "tool",
      "tool",
      "working",
    ],
  );
});

test("[PAG-80] the plan stands under the prompt while its turn runs", () => {
  const plan = {
    turn: 1,
    entries: [{ text: "Look", status: "completed", priority: "high" }],
  };
  const messages = [message(1, "user", "Fix it"), message(2, "agent", "So")];
  const kinds = (outcome: "running" | "completed") =>
    rowsOfTurn(turnView({ messages, mark: turnMark({ outcome }) }), plan).map(
      ({ kind }) => kind,
    );
  assert.deepEqual(kinds("running"), ["prompt", "plan", "say", "working"]);
  assert.deepEqual(kinds("completed"), ["prompt", "say", "foot"]);
});

test("[PAG-82] rows of turns that did not change are the same objects", () => {
  const rowsOf = new RowsOf();
  const first = turnView({ messages: [message(1, "agent", "One")] });
  const second = turnView({ turn: 2, messages: [message(2, "agent", "Two")] });
  const view = { plan: null };
  const before = rowsOf.rows({ ...view, turns: [first, second] });
  const after = rowsOf.rows({
    ...view,
    turns: [first, { ...second, messages: [message(2, "agent", "Two more")] }],
  });
  assert.equal(after[0], before[0]);
  assert.notEqual(after[2], before[2]);
});

test("[PAG-82] ten thousand messages become rows within a frame or two", () => {
  const messages = Array.from({ length: 10_000 }, (_, at) =>
    message(at + 1, at % 3 === 0 ? "agent" : "tool", "text", done("read")),
  );
  const began = performance.now();
  const rows = rowsOfTurn(turnView({ messages }), null);
  assert.ok(rows.length > 5_000);
  assert.ok(performance.now() - began < patience(500));
});

test("[PAG-86] [PAG-286] what comes before the first row, or goes there, keeps the place of what is read", () => {
  const rows = (...keys: string[]) =>
    keys.map((key) => ({ key, turn: key.charCodeAt(0) }));
  const [first] = rows("b");
  assert.equal(isShiftedFrom(rows("a", "b", "c"), first), true);
  assert.equal(isShiftedFrom(rows("b", "c"), first), false);
  assert.equal(isShiftedFrom(rows("c", "d"), first), true);
  // Another session, or all of it read again.
  assert.equal(isShiftedFrom(rows("a"), first), false);
  assert.equal(isShiftedFrom(rows("a"), undefined), false);
  assert.equal(isShiftedFrom([], first), false);
  const turns = [{ turn: 1 }, { turn: 2 }, { turn: 3 }];
  assert.deepEqual(turnsInView(turns, { from: 1, to: 9 }), { from: 2, to: 3 });
  assert.equal(turnsInView([], { from: 0, to: 0 }), null);
});
