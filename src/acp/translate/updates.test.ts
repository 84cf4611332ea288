import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Event } from "../../contract/event/event.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import { prompt, Story } from "../../session/testing.ts";
import { Condenser } from "./condense.ts";
import { type Listener, nothingTold, updatesOf } from "./updates.ts";

const stranger: Listener = { notices: false, isOwn: () => false };

const told = (
  events: readonly Event[],
  listener: Listener = stranger,
): SessionUpdate[] => {
  const state = nothingTold();
  return events.flatMap((event) => updatesOf(state, event, listener));
};

/** What each update is, in short. */
const short = (updates: readonly SessionUpdate[]) =>
  updates.map((update) => {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return `${update.sessionUpdate.split("_")[0]}${update.sessionUpdate.includes("thought") ? " thinks" : ""}: ${update.content.type === "text" ? update.content.text : update.content.type}`;
      case "tool_call":
      case "tool_call_update":
        return `${update.sessionUpdate} ${update.toolCallId} ${update.status ?? "-"}`;
      case "notice":
        return `notice: ${update.title}`;
      default:
        return update.sessionUpdate;
    }
  });

const talk = (): Story => {
  const story = new Story().up().queue(1, "hello").deliver(1);
  story.say("one ").say("two");
  return story;
};

test("[ACP-20] words become chunks of one message, and a prompt is told to those who did not send it", () => {
  const { events } = talk();
  const updates = told(events);
  assert.deepEqual(short(updates), [
    "user: hello",
    "agent: one ",
    "agent: two",
  ]);
  const ids = updates.map((update) =>
    "messageId" in update ? update.messageId : null,
  );
  assert.equal(ids[1], ids[2]);
  assert.notEqual(ids[0], ids[1]);
  const sender = { notices: false, isOwn: (id: string) => id === prompt(1) };
  assert.deepEqual(short(told(events, sender)), ["agent: one ", "agent: two"]);
});

const tools = (story: Story, ...all: object[]): Story => {
  for (const tool of all)
    story.report({
      kind: "tool",
      tool: { id: "t", ...tool },
      range: story.words(3),
    });
  return story;
};

test("[ACP-21] a call is told once and then updated, with all of its content", () => {
  const story = tools(
    talk(),
    { title: "Run", kind: "execute", status: "pending", input: { a: 1 } },
    { status: "in_progress", output: "a" },
    {
      diffs: [{ path: "/f", old_text: null, new_text: "x" }],
      locations: [{ path: "/f", line: 3.5 }],
    },
    { status: "completed", kind: "unheard of" },
  );
  const calls = told(story.events).filter(({ sessionUpdate }) =>
    sessionUpdate.startsWith("tool_call"),
  );
  const output = { type: "content", content: { type: "text", text: "a" } };
  const diff = { type: "diff", path: "/f", oldText: null, newText: "x" };
  assert.deepEqual(calls, [
    {
      sessionUpdate: "tool_call",
      toolCallId: "t",
      title: "Run",
      kind: "execute",
      status: "pending",
      rawInput: { a: 1 },
    },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      status: "in_progress",
      content: [output],
    },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      content: [diff, output],
      locations: [{ path: "/f", line: 3 }],
    },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      status: "completed",
      kind: "other",
    },
  ]);
});

test("[ACP-21] output in pieces is told when it has grown by a quarter, and all of it at the end", () => {
  const story = tools(talk(), { title: "Run", status: "pending" });
  for (let n = 0; n < 100; n++) tools(story, { more_output: "0123456789" });
  tools(story, { status: "completed" });
  const updates = told(story.events).filter(
    ({ sessionUpdate }) => sessionUpdate === "tool_call_update",
  );
  const lengths = updates.map((update) =>
    "content" in update && Array.isArray(update.content)
      ? JSON.stringify(update.content).length
      : 0,
  );
  assert.ok(updates.length < 25, String(updates.length));
  assert.ok((lengths.at(-1) ?? 0) > 1000);
});

test("[ACP-21] a call that was cut off has failed, and an id that comes again is another one", () => {
  const story = tools(talk(), { title: "Run", status: "in_progress" });
  story.die();
  story.queue(2).begin().ready().deliver(2);
  tools(story, { title: "Run", status: "completed" });
  const [first, second, third] = short(told(story.events)).filter((line) =>
    line.startsWith("tool"),
  );
  assert.equal(first, "tool_call t in_progress");
  assert.equal(second, "tool_call_update t failed");
  assert.match(third ?? "", /^tool_call t#msg_\d+ completed$/);
});

const event = (type: Event["type"], data: object, seq = 7): Event =>
  ({
    ...talk().events[0],
    type,
    data,
    seq,
  }) as Event;

const resumed = (grade: Resume["grade"], lost: string | null = null): Event =>
  event("session.resumed", {
    resume: {
      path: "fast",
      strategy: "native",
      grade,
      verified: true,
      workspace: null,
      lost,
      took_ms: 1,
    },
  });

test("[ACP-22] the grade is a notice, or a message; what never stopped is told to nobody who has no notices", () => {
  const modern = { ...stranger, notices: true };
  const grades = ["reattached", "native", "injected", "fresh", null] as const;
  assert.deepEqual(
    grades.map((grade) => told([resumed(grade)], modern).length),
    [1, 1, 1, 1, 0],
  );
  assert.deepEqual(
    grades.map((grade) => told([resumed(grade)]).length),
    [0, 1, 1, 1, 0],
  );
  assert.match(
    short(told([resumed("fresh", "Everything is lost.")]))[0] ?? "",
    /^agent: \[Reprise\] .*\(fresh\)\. Everything is lost\.\n\n$/,
  );
  const words = event("session.notice", {
    level: "warning",
    code: "x",
    text: "Careful.",
  });
  assert.deepEqual(short(told([words], modern)), ["notice: Careful."]);
  assert.deepEqual(told([words]), []);
});

test("[ACP-23] commands and images of the agent are passed on where they are what they say", () => {
  const update = (value: unknown): Event =>
    event("session.agent.update", { update: value });
  const commands = {
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "plan", description: "Plans", input: null }],
  };
  const image = {
    sessionUpdate: "agent_message_chunk",
    content: { type: "image", data: "AAAA", mimeType: "image/png" },
  };
  assert.deepEqual(told([update(commands), update(image)]), [commands, image]);
  for (const wrong of [
    null,
    "x",
    { sessionUpdate: "available_commands_update" },
    { sessionUpdate: "available_commands_update", availableCommands: [{}] },
    { sessionUpdate: "agent_message_chunk", content: { type: "image" } },
    { sessionId: "other", update: commands },
    { sessionUpdate: "terminal" },
  ])
    assert.deepEqual(told([update(wrong)]), []);
});

test("[ACP-20] plans and the context are told in ACP's own words", () => {
  const plan = event("session.plan.updated", {
    turn: 1,
    entries: [
      { text: "a", status: "completed", priority: "high" },
      { text: "b", status: "odd", priority: "odd" },
    ],
  });
  assert.deepEqual(told([plan]), [
    {
      sessionUpdate: "plan",
      entries: [
        { content: "a", status: "completed", priority: "high" },
        { content: "b", status: "pending", priority: "medium" },
      ],
    },
  ]);
  const usage = { input_tokens: 5, output_tokens: 0, total_tokens: 5 };
  const used = (size_tokens: number | null): Event =>
    event("session.usage", {
      turn: 1,
      usage,
      context: { used_tokens: 5, size_tokens },
    });
  assert.deepEqual(told([used(10), used(null)]), [
    { sessionUpdate: "usage_update", used: 5, size: 10 },
  ]);
});

test("[ACP-8] a replay tells each message whole, and of what is replaced only the newest", () => {
  const condenser = new Condenser();
  const plan = (content: string): SessionUpdate => ({
    sessionUpdate: "plan",
    entries: [{ content, status: "pending", priority: "low" }],
  });
  const story = tools(talk(), { title: "Run", status: "completed" });
  story.say("three ").say("four");
  const updates = [plan("old"), ...told(story.events), plan("new")];
  const replayed = [
    ...updates.flatMap((update) => condenser.add(update)),
    ...condenser.end(),
  ];
  assert.deepEqual(short(replayed), [
    "user: hello",
    "agent: one two",
    "tool_call t completed",
    "agent: three four",
    "plan",
  ]);
  assert.deepEqual(replayed.at(-1), plan("new"));
});
