import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointId } from "../../contract/session/checkpoint.ts";
import { messageId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import { AT, PROMPT, numbered, turnEnded } from "../fixtures/sample.ts";
import { ConversationText, type Mark } from "./conversation.ts";
import { type Palette, palette } from "../terminal/palette.ts";
import { isTurnEnd } from "./turn-end.ts";
import { isTurningPoint } from "./turning-point.ts";

const message = (
  seq: number,
  turn: number,
  role: Message["role"],
  text: string,
  tool?: Message["tool"],
): Message => ({
  id: messageId(seq),
  turn,
  role,
  text,
  at: AT,
  ...(tool === undefined ? {} : { tool }),
});

/** All of it, each mark where it belongs. */
const conversation = (
  messages: readonly Message[],
  marks: readonly Mark[],
  colours: Palette,
): string => {
  const text = new ConversationText(colours);
  let last = 0;
  const upTo = (seq: number): Mark[] => {
    const between = marks.filter((mark) => mark.seq > last && mark.seq < seq);
    last = seq;
    return between;
  };
  const told = messages.map((each) =>
    text.tell(each, upTo(Number(each.id.slice(4)))),
  );
  return told.join("") + text.mark(upTo(Number.POSITIVE_INFINITY));
};

test("a turn that did not complete says so where it ended; one that did needs no line", () => {
  const ends = [
    ...numbered(15, [turnEnded()]),
    ...numbered(25, [
      {
        type: "session.turn.interrupted",
        data: { turn: 2, prompt_id: PROMPT, reason: "the agent was killed" },
      },
    ]),
    ...numbered(35, [turnEnded("failed", 3)]),
  ].filter(isTurnEnd);
  const text = conversation(
    [
      message(10, 1, "user", "one"),
      message(20, 2, "user", "two"),
      message(26, 2, "notice", "it is back"),
      message(30, 3, "user", "three"),
    ],
    ends,
    palette(false),
  );
  assert.equal(
    text,
    [
      "── turn 1",
      "> one",
      "",
      "── turn 2",
      "> two",
      "── turn 2 was interrupted: the agent was killed",
      "! it is back",
      "",
      "── turn 3",
      "> three",
      "── turn 3 failed (end_turn)",
      "   no credit",
      "",
    ].join("\n"),
  );
});

test("[CPT-7] a rewind stands where the conversation went on from another turn", () => {
  const marks = numbered(25, [
    {
      type: "session.rewound",
      data: {
        turn: 1,
        from_turn: 2,
        checkpoint_id: CheckpointId.parse("chk_12"),
        memory: null,
        changes: 1,
      },
    },
  ]).filter(isTurningPoint);
  const text = conversation(
    [
      message(10, 1, "user", "one"),
      message(20, 2, "user", "two"),
      message(30, 3, "user", "three"),
    ],
    marks,
    palette(false),
  );
  assert.equal(
    text,
    [
      "── turn 1",
      "> one",
      "",
      "── turn 2",
      "> two",
      "── back to turn 1 (chk_12): 1 path changed",
      "",
      "── turn 3",
      "> three",
      "",
    ].join("\n"),
  );
});

test("a tool call shows its status and the first lines of what it gave", () => {
  const output = Array.from({ length: 11 }, (_, i) => `${i}`).join("\n");
  const told = conversation(
    [
      message(1, 1, "tool", "ls", { id: "t", status: "completed", output }),
      message(2, 1, "tool", "rm", { id: "u", status: "failed" }),
    ],
    [],
    palette(false),
  );
  assert.match(told, /▸ ls {2}completed\n {4}0\n/);
  assert.match(told, / {4}9\n {4}… 1 more line\n▸ rm {2}failed\n$/);
});

test("[API-125] a tool call is shown by its newest title, with the command where the title lacks it", () => {
  const call = (text: string, tool: Partial<Message["tool"]>) =>
    conversation(
      [message(1, 1, "tool", text, { id: "t1", ...tool })],
      [],
      palette(false),
    );
  assert.match(call("git log", { title: "git log" }), /▸ git log\n/);
  assert.match(
    call("bash", { title: "bash", input: { command: "make" } }),
    /▸ bash: make\n/,
  );
});

test("[SES-35] a message that goes on with another is told as one text", () => {
  const goesOn = (seq: number, text: string): Message => ({
    ...message(seq, 1, "agent", text),
    continues: messageId(seq - 1),
  });
  const told = conversation(
    [
      message(1, 1, "agent", "one line,\n"),
      goesOn(2, "another, and ha"),
      goesOn(3, "lf a word  \n"),
      message(5, 1, "thought", "hm\nwell"),
      message(6, 1, "agent", "end"),
    ],
    [],
    palette(false),
  );
  assert.equal(
    told,
    "── turn 1\none line,\nanother, and half a word\n· hm\n· well\nend\n",
  );
});

test("[API-131] the error of a turn stands at its end, and a notice of it is not told again", () => {
  const notice: Message = {
    ...message(16, 1, "notice", "no credit"),
    code: "agent_error",
  };
  const marks = numbered(15, [turnEnded("failed")]).filter(isTurnEnd);
  const words = [message(10, 1, "user", "go"), notice];
  const text = conversation(words, marks, palette(false));
  assert.equal(text.split("no credit").length, 2, text);
  // A fork has the message alone.
  assert.match(conversation(words, [], palette(false)), /! no credit\n/);
});
