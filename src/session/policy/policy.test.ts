import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { permissionId } from "../../contract/base/id.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { continuationOf } from "../state/continuation.ts";
import { intend } from "../intend.ts";
import { answerByPolicy } from "./policy.ts";
import type { Asking } from "./said-of-call.ts";
import { askItem, prompt, Story } from "../testing.ts";

const definition = (
  overrides: Partial<AgentDefinition> = {},
): AgentDefinition => ({
  agent: "demo",
  home: "user",
  env_names: [],
  ...overrides,
});

const asking = (overrides: Partial<Asking> = {}): Asking => ({
  title: "git status",
  tool_kind: "execute",
  tool_name: "Bash",
  detail: "git status --short",
  options: [
    { id: "forever", name: "Always", kind: "allow_always" },
    { id: "yes", name: "Yes", kind: "allow_once" },
    { id: "no", name: "No", kind: "reject_once" },
  ],
  ...overrides,
});

test("[SES-26] a person is asked unless the session says otherwise", () => {
  assert.equal(answerByPolicy(definition(), asking()), null);
  const all = definition({ permissions: { default: "allow-all", rules: [] } });
  assert.equal(answerByPolicy(all, asking()), "yes", "once is enough");
  const read = definition({
    permissions: { default: "allow-read", rules: [] },
  });
  assert.equal(answerByPolicy(read, asking()), null);
  assert.equal(answerByPolicy(read, asking({ tool_kind: "search" })), "yes");
});

test("[SES-26] the first rule that fits decides; what is disallowed is never allowed", () => {
  const ruled = definition({
    disallowed_tools: ["Bash(rm *)"],
    permissions: {
      default: "allow-all",
      rules: [
        { tool: "bash(git push*)", answer: "ask" },
        { tool: "bash(git *)", answer: "allow" },
        { tool: "execute", answer: "deny" },
      ],
    },
  });
  const answer = (detail: string) => answerByPolicy(ruled, asking({ detail }));
  assert.equal(answer("git push origin"), null);
  assert.equal(answer("git status"), "yes");
  assert.equal(answer("make"), "no");
  assert.equal(answer("rm -rf /"), "no");
  assert.equal(
    answerByPolicy(ruled, asking({ tool_name: "Edit", tool_kind: "edit" })),
    "yes",
  );
});

test("[SES-26] a command that brings another along is not allowed by a pattern, and is denied by one", () => {
  const ruled = definition({
    disallowed_tools: ["Bash(rm *)"],
    permissions: {
      default: "ask",
      rules: [
        { tool: "Bash(git *)", answer: "allow" },
        { tool: "WebFetch(https://docs/*)", answer: "allow" },
      ],
    },
  });
  const answer = (detail: string) => answerByPolicy(ruled, asking({ detail }));
  for (const more of ["; make", " && make", "\nmake", " > f", " $(make)"])
    assert.equal(answer(`git status${more}`), null, more);
  assert.equal(answer(`git add ${"a".repeat(8000)}`), null);
  assert.equal(answer("git status; rm -rf /"), "no");
  const page = asking({
    tool_name: "WebFetch",
    tool_kind: "fetch",
    detail: "https://docs/a?b=1&c=2",
  });
  assert.equal(answerByPolicy(ruled, page), "yes", "it is no command");
});

test("[SES-26] a title is anybody's words: it allows nothing where the tool has a name, and no second command", () => {
  const ruled = definition({
    permissions: {
      default: "ask",
      rules: [
        { tool: "Read", answer: "allow" },
        { tool: "git *", answer: "allow" },
      ],
    },
  });
  const answer = (overrides: Partial<Asking>) =>
    answerByPolicy(ruled, asking(overrides));
  assert.equal(answer({ title: "Read", detail: "rm -rf /" }), null);
  assert.equal(answer({ title: "git status" }), null);
  const unnamed = { tool_name: null, detail: null };
  assert.equal(answer({ ...unnamed, title: "git status" }), "yes");
  assert.equal(answer({ ...unnamed, title: "git status; rm -rf /" }), null);
});

test("[SES-26] a star in a path does not lead out of it, and no blank hides what is denied", () => {
  const ruled = definition({
    disallowed_tools: ["Bash(rm *)"],
    permissions: {
      default: "ask",
      rules: [{ tool: "Write(/work/*)", answer: "allow" }],
    },
  });
  const write = (detail: string) =>
    answerByPolicy(
      ruled,
      asking({ tool_name: "Write", tool_kind: "edit", detail }),
    );
  assert.equal(write("/work/a..b"), "yes");
  assert.equal(write("/work/../etc/passwd"), null);
  for (const detail of ["rm\t-rf /", "(rm  -rf /)", "{ rm -rf /; }"])
    assert.equal(answerByPolicy(ruled, asking({ detail })), "no", detail);
});

test("[SES-63] a malformed pattern of an older journal denies every use of its tool, and allows none", () => {
  const deny = (tool: string) =>
    definition({
      permissions: { default: "allow-all", rules: [{ tool, answer: "deny" }] },
    });
  const listed = definition({ disallowed_tools: ["Bash(rm *"] });
  const edit = { tool_name: "Edit", tool_kind: "edit", detail: "/w/a" };
  for (const ruled of [deny("Bash(rm *"), deny("bash)"), listed]) {
    assert.equal(answerByPolicy(ruled, asking({ detail: "rm -rf /" })), "no");
    assert.equal(answerByPolicy(ruled, asking()), "no", "whatever was meant");
  }
  assert.equal(answerByPolicy(deny("Bash(rm *"), asking(edit)), "yes");
  assert.equal(answerByPolicy(deny("(rm *)"), asking(edit)), "no", "all tools");
  const allowed = definition({ allowed_tools: ["Bash(git *", "Bash()"] });
  assert.equal(answerByPolicy(allowed, asking()), "no");
  const allow = definition({
    permissions: {
      default: "ask",
      rules: [{ tool: "Bash(git *", answer: "allow" }],
    },
  });
  assert.equal(answerByPolicy(allow, asking()), null);
});

test("[SES-63] a malformed pattern that asks stands before no rule that denies", () => {
  const ruled = definition({
    permissions: {
      default: "allow-all",
      rules: [
        { tool: "Bash(git push *", answer: "ask" },
        { tool: "Bash(rm *)", answer: "deny" },
        { tool: "Bash(git *)", answer: "allow" },
      ],
    },
  });
  const answer = (detail: string) => answerByPolicy(ruled, asking({ detail }));
  assert.equal(answer("rm -rf /"), "no");
  assert.equal(answer("git push origin"), null);
  assert.equal(answer("make"), null, "nor does the default allow it");
});

test("[SES-64] what is denied may be called by the first word of a title, where the tool has no name", () => {
  const write = asking({
    title: "Write q2.txt",
    tool_kind: "edit",
    tool_name: null,
    detail: null,
  });
  const answer = (tool: string, word: "allow" | "deny", what = write) =>
    answerByPolicy(
      definition({
        permissions: {
          default: word === "deny" ? "allow-all" : "ask",
          rules: [{ tool, answer: word }],
        },
      }),
      what,
    );
  for (const tool of ["Write", "write", "edit", "Write *", "Write(q2*)"])
    assert.equal(answer(tool, "deny"), "no", tool);
  for (const tool of ["Writ", "q2.txt", "Write(q3*)"])
    assert.equal(answer(tool, "deny"), "yes", tool);
  for (const tool of ["Write", "Write(q2*)"])
    assert.equal(answer(tool, "allow"), null, "an allow is not widened");
  const listed = definition({ disallowed_tools: ["Write"] });
  assert.equal(answerByPolicy(listed, write), "no");
  const named = { ...write, tool_name: "Note" };
  assert.equal(answer("Write", "deny", named), "yes", "it has a name");
});

test("[SES-64] Bash denies every tool that runs commands, whatever the agent calls it", () => {
  const ruled = definition({ disallowed_tools: ["Bash(rm *)"] });
  const run = (detail: string, tool_kind = "execute") =>
    answerByPolicy(
      { ...ruled, permissions: { default: "allow-all", rules: [] } },
      asking({ tool_name: "exec_command", tool_kind, title: detail, detail }),
    );
  assert.equal(run("rm -rf /"), "no");
  assert.equal(run("git status"), "yes");
  assert.equal(run("rm -rf /", "edit"), "yes");
  const allow = definition({ allowed_tools: ["Bash"] });
  const other = asking({ tool_name: "exec_command" });
  assert.equal(answerByPolicy(allow, other), "no", "an allow is not widened");
});

test("[SES-26] with a list of allowed tools, no other is allowed", () => {
  const few = definition({ allowed_tools: ["Read", "edit"] });
  assert.equal(answerByPolicy(few, asking()), "no");
  assert.equal(answerByPolicy(few, asking({ tool_kind: "edit" })), "yes");
});

test("[SES-26] an answer that the agent does not offer is a person's to give", () => {
  const all = definition({ permissions: { default: "allow-all", rules: [] } });
  assert.equal(answerByPolicy(all, asking({ options: [] })), null);
});

test("[SES-26] patterns with many stars do not take long", () => {
  const hostile = definition({ disallowed_tools: ["*a".repeat(100)] });
  const began = performance.now();
  answerByPolicy(hostile, asking({ title: "b".repeat(100_000) }));
  assert.ok(performance.now() - began < patience(1000));
});

test("[SES-26] what the policy answers reaches the agent like any answer, and the journal says who answered", () => {
  const story = new Story({
    definition: definition({
      permissions: { default: "allow-all", rules: [] },
    }),
  });
  story.up().queue(1).deliver(1);
  story.report(askItem(permissionId(1, 10), story.words(2)));
  assert.equal(
    story.last("session.permission.requested").answered_by,
    "policy",
  );
  assert.equal(story.last("session.permission.answered").by, "policy");
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["answer"],
  );
});

test("[SES-27] a turn that ends on a quota is interrupted, and continued when it is filled again", () => {
  const story = new Story({ on_interrupt: "continue" }).up();
  const resets_at = "2026-01-01T05:00:00.000Z";
  story.queue(1).deliver(1);
  story.report({
    kind: "turn_ended",
    prompt_id: prompt(1),
    stop_reason: "error",
    usage: null,
    error: "429 quota exceeded",
    limit: { resets_at },
    range: story.words(5),
  });
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(
    story.last("session.turn.interrupted").limit?.resets_at,
    resets_at,
  );
  assert.match(story.last("session.notice").text, /05:00/);
  const continuation = continuationOf(story.state);
  assert.equal(continuation?.not_before, resets_at);
  story.given({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "continue",
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "go on" }] },
  });
  assert.equal(
    story.state.prompts.continuations,
    0,
    "that is no failure of the turn",
  );
});

test("[SES-27] [REC-8] a quota that was filled before the turn ended on it is continued five times, not for ever", () => {
  const story = new Story({ on_interrupt: "continue" }).up().queue(1);
  const pauses: number[] = [];
  for (let n = 1; ; n++) {
    story.deliver(n).report({
      kind: "turn_ended",
      prompt_id: prompt(n),
      stop_reason: "error",
      usage: null,
      error: "429 quota exceeded",
      limit: { resets_at: "2025-12-31T23:59:59.000Z" },
      range: story.words(5),
    });
    const due = continuationOf(story.state);
    if (due === null) break;
    assert.equal(due.not_before, null, "there is nothing to wait for");
    pauses.push(due.pause_ms);
    story.given({
      type: "prompt.resolve",
      prompt_id: due.prompt_id,
      action: "continue",
      by: {
        prompt_id: prompt(n + 1),
        content: [{ type: "text", text: "go on" }],
      },
    });
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000]);
  assert.equal(story.last("session.notice").code, "continuation_limit");
});

test("[SES-27] when the quota is filled again may be told before the turn ends for it", () => {
  const resets_at = "2026-01-01T05:00:00.000Z";
  const usage = { input_tokens: 1, output_tokens: 0, total_tokens: 1 };
  const ended = (story: Story, n: number) =>
    story.report({
      kind: "turn_ended",
      prompt_id: prompt(n),
      stop_reason: "error",
      usage: null,
      error: "quota exceeded",
      limit: { resets_at: null },
      range: story.words(5),
    });
  const story = new Story().up().queue(1).deliver(1);
  const range = story.words(5);
  story.report({ kind: "usage", range, usage, limit: { resets_at } });
  ended(story, 1);
  const told = () => story.last("session.turn.interrupted").limit?.resets_at;
  assert.equal(told(), resets_at);
  story.queue(2);
  story.given({ type: "session.resume", trigger: "request", now: true });
  ended(story.deliver(2), 2);
  assert.equal(told(), null, "it was about the turn before");
});
