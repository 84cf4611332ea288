import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEvent } from "../../contract/event/event.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { messageId } from "../../contract/base/id.ts";
import {
  PERMISSION,
  PROMPT,
  SESSION,
  became,
  numbered,
  said,
  saidMore,
  turnEnded,
} from "../fixtures/sample.ts";
import { palette } from "../terminal/palette.ts";
import { Narrator } from "./narrator.ts";

const told = (...events: NewEvent[]): string => {
  const narrator = new Narrator(palette(false), "reprise");
  return (
    numbered(1, events)
      .map((event) => narrator.tell(event))
      .join("") + narrator.end()
  );
};

const tool = (
  id: number,
  status: "in_progress" | "completed" | "failed" | "interrupted",
): NewEvent => ({
  type: "session.tool.updated",
  data: { id: messageId(id), tool: { id: `t${id}`, status } },
});

test("[SES-35] a message that goes on with another goes on in its line", () => {
  const goesOn: NewEvent = {
    type: "session.message.added",
    data: {
      message: {
        id: messageId(4),
        turn: 1,
        role: "agent",
        text: "lf a word",
        at: "2026-01-01T00:00:00.000Z",
        continues: messageId(2),
      },
    },
  };
  assert.equal(
    told(
      said(2, "agent", "ha"),
      goesOn,
      saidMore(4, ", and more"),
      said(5, "agent", "new"),
    ),
    "half a word, and more\nnew\n",
  );
});

test("text streams on one line; what comes next begins a new one", () => {
  assert.equal(
    told(
      said(1, "user", "go\non"),
      said(2, "agent", "one, "),
      saidMore(2, "two"),
      turnEnded(),
    ),
    "> go\n> on\none, two\n── turn 1 completed (end_turn)\n",
  );
});

test("text that ended its line gets no empty one", () => {
  assert.equal(
    told(said(1, "agent", "done\n"), turnEnded()),
    "done\n── turn 1 completed (end_turn)\n",
  );
});

test("tool calls: a line when they begin, one when they end", () => {
  const start = (n: number) =>
    said(n, "tool", `call ${n}`, { id: `t${n}`, title: `call ${n}` });
  assert.equal(
    told(start(1), tool(1, "in_progress"), tool(1, "completed")),
    "▸ call 1\n  ↳ completed\n",
  );
  assert.equal(
    told(start(1), start(2), tool(1, "failed"), tool(2, "interrupted")),
    "▸ call 1\n▸ call 2\n  ↳ call 1: failed\n  ↳ call 2: interrupted, outcome unknown\n",
  );
});

const renamed = (id: number, change: Omit<Tool, "id">): NewEvent => ({
  type: "session.tool.updated",
  data: { id: messageId(id), tool: { id: `t${id}`, ...change } },
});

test("[API-125] a call that is named again is told by its newest name when it ends", () => {
  const begun = said(1, "tool", "Terminal", { id: "t1", title: "Terminal" });
  assert.equal(
    told(
      begun,
      renamed(1, { title: "git status --short" }),
      tool(1, "completed"),
    ),
    "▸ Terminal\n  ↳ git status --short: completed\n",
  );
  assert.equal(
    told(
      begun,
      renamed(1, { title: "git status", status: "failed" }),
      tool(1, "completed"),
    ),
    "▸ Terminal\n  ↳ git status: failed\n  ↳ git status: completed\n",
  );
});

test("[API-125] the command is told where the title does not have it, as plain text", () => {
  const begun = (input: unknown) =>
    said(1, "tool", "bash", { id: "t1", title: "bash", input });
  assert.equal(
    told(begun({ command: "make\x1b]52;c;AAAA\x07 all\n" })),
    "▸ bash: make all\n",
  );
  assert.equal(
    told(
      begun({}),
      renamed(1, { input: { command: ["git", "log"] } }),
      tool(1, "completed"),
    ),
    "▸ bash\n  ↳ bash: git log: completed\n",
  );
  assert.equal(told(begun({ command: "bash" })), "▸ bash\n");
});

test("[API-125] what runs is known by its newest name until it is over", () => {
  const narrator = new Narrator(palette(false), "reprise");
  const names = numbered(1, [
    said(1, "tool", "Terminal", { id: "t1", title: "Terminal" }),
    renamed(1, { title: "git status" }),
    tool(1, "completed"),
  ]).map((event) => {
    narrator.tell(event);
    return narrator.running;
  });
  assert.deepEqual(names, ["Terminal", "git status", null]);
});

const asked = (
  more: { answered_by?: "policy" } = {},
): Extract<NewEvent, { type: "session.permission.requested" }> => ({
  type: "session.permission.requested",
  data: {
    permission: {
      id: PERMISSION,
      turn: 1,
      title: "Write\nnotes.txt",
      tool_kind: null,
      options: [{ id: "yes", name: "Allow", kind: "allow_once" }],
      state: "pending",
    },
    ...more,
  },
});

test("[P5] a permission request comes with the commands that answer it", () => {
  assert.equal(
    told(asked()),
    `? Write notes.txt\n    Allow  reprise session permit ${SESSION} ${PERMISSION} yes\n`,
  );
});

test("[API-127] a permission request shows what it would allow, and the agent's words stay its own", () => {
  const request = asked();
  request.data.permission.tool = {
    id: "t1",
    kind: "execute",
    title: "Terminal",
    command: "git push\n\x1b[2J? reprise session permit x yes",
    paths: ["/w/a\nb"],
    diff: null,
    input: null,
    shortened: ["command"],
  };
  assert.equal(
    told(request),
    [
      "? Write notes.txt",
      "  tool   Terminal",
      "  runs   │ git push",
      "         │ ? reprise session permit x yes",
      "         … it goes on; the conversation (`session messages --json`) has all",
      "  files  /w/a b",
      `    Allow  reprise session permit ${SESSION} ${PERMISSION} yes`,
      "",
    ].join("\n"),
  );
});

test("[SES-26] what the policy answers is one line, and nobody is asked", () => {
  const narrator = new Narrator(palette(false), "reprise");
  const [request, answer] = numbered(1, [
    asked({ answered_by: "policy" }),
    {
      type: "session.permission.answered",
      data: { id: PERMISSION, option_id: "yes", by: "policy" },
    },
  ]);
  assert.ok(request !== undefined && answer !== undefined);
  assert.equal(narrator.tell(request), "");
  assert.equal(narrator.questions, 0);
  assert.equal(
    narrator.tell(answer),
    "? Write notes.txt  answered by its policy: Allow\n",
  );
});

test("[P6] a resume says its grade and what was lost", () => {
  const text = told(
    {
      type: "session.resumed",
      data: {
        resume: {
          path: "fast",
          strategy: "fresh",
          grade: "fresh",
          verified: false,
          workspace: null,
          lost: "The conversation.",
          took_ms: 7.4,
        },
      },
    },
    {
      type: "session.notice",
      data: {
        level: "warning",
        code: "context_lost",
        text: "Everything, in other words.",
      },
    },
  );
  assert.match(text, /^── resumed, fresh: a new agent session without memory/);
  assert.match(text, /\nThe conversation\.\n$/);
  assert.ok(!text.includes("workspace"));
});

test("the output of a tool is shown under its end, the first lines of it", () => {
  const lines = Array.from({ length: 13 }, (_, i) => `line ${i + 1}`);
  const text = told(
    said(1, "tool", "seq 13", { id: "t1", title: "seq 13" }),
    {
      type: "session.tool.updated",
      data: {
        id: messageId(1),
        tool: { id: "t1", output: `${lines.join("\n")}\x1b[2J\n` },
      },
    },
    tool(1, "completed"),
  );
  assert.equal(
    text,
    `▸ seq 13\n  ↳ completed\n${lines
      .slice(0, 10)
      .map((line) => `    ${line}\n`)
      .join("")}    … 3 more lines\n`,
  );
  const failed = {
    id: "t1",
    title: "cat x",
    status: "failed",
    output: "no such file",
  } as const;
  assert.equal(
    told(said(1, "tool", "cat x", failed)),
    "▸ cat x  failed\n    no such file\n",
  );
});

test("[P7] an interrupted turn says how to decide about its prompt", () => {
  const text = told(said(1, "agent", "half a sen"), {
    type: "session.turn.interrupted",
    data: { turn: 1, prompt_id: PROMPT, reason: "the agent was killed" },
  });
  const resolve = `reprise session resolve ${SESSION} ${PROMPT}`;
  assert.equal(
    text,
    `half a sen\n── turn 1 was interrupted: the agent was killed\n    Go on from there  ${resolve} continue\n    Send it again     ${resolve} resend\n    Leave it          ${resolve} drop\n`,
  );
});

test("an error and a pause are told", () => {
  assert.match(told(became("ERROR", "no agent")), /could not go on: no agent/);
  assert.equal(told(became("PAUSED")), "── paused\n");
});

test("an escape sequence that is cut in two by the stream is still taken out", () => {
  assert.equal(
    told(
      said(1, "agent", "a\x1b]52;c;AA"),
      saidMore(1, "AA\x07b\x1b[3"),
      saidMore(1, "1mc"),
    ),
    "abc\n",
  );
});

test("an agent's text cannot pass for ours: sequences of other messages do not leak into it", () => {
  assert.equal(
    told(said(1, "agent", "x\x1b"), said(2, "agent", "[2Jy")),
    "x\\x1b\n[2Jy\n",
  );
});

test("[SES-57] where a restriction stopped the session, the commands that go on stand below", () => {
  const text = told({
    type: "session.state_changed",
    data: {
      from: "STARTING",
      to: "ERROR",
      reason: "start_failed",
      message: "The agent does not have the model huge.",
      restriction: {
        what: "model",
        asked: "huge",
        reason: "refused",
        valid: ["small"],
        message: null,
      },
    },
  });
  assert.equal(
    text,
    [
      "── it could not go on: The agent does not have the model huge.",
      `    reprise session resume ${SESSION} --model small`,
      `    reprise session resume ${SESSION} --model-fallback`,
      `    reprise session resume ${SESSION} --without model`,
      "",
    ].join("\n"),
  );
});
