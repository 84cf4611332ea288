/** Requests that are made so that a rule does not see what it is about. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { permissionId } from "../../contract/base/id.ts";
import type { PermissionRule } from "../../contract/agent/permission.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { answerByPolicy } from "./policy.ts";
import { type Asking, saidOf } from "./said-of-call.ts";
import { askItem, Story } from "../testing.ts";

const definition = (
  overrides: Partial<AgentDefinition> = {},
): AgentDefinition => ({
  agent: "demo",
  home: "user",
  env_names: [],
  ...overrides,
});

const ruled = (
  standard: "allow-all" | "allow-read" | "ask",
  ...rules: [PermissionRule["answer"], string][]
) =>
  definition({
    permissions: {
      default: standard,
      rules: rules.map(([answer, tool]) => ({ tool, answer })),
    },
  });

const asking = (overrides: Partial<Asking> = {}): Asking => ({
  title: "Terminal",
  tool_kind: "execute",
  tool_name: "Bash",
  options: [
    { id: "yes", name: "Yes", kind: "allow_once" },
    { id: "no", name: "No", kind: "reject_once" },
  ],
  ...overrides,
});

const denied = (tool: string, overrides: Partial<Asking>) =>
  answerByPolicy(ruled("allow-all", ["deny", tool]), asking(overrides));
const allowed = (tool: string, overrides: Partial<Asking>) =>
  answerByPolicy(ruled("ask", ["allow", tool]), asking(overrides));

/** What is answered when a call told something of itself and then a request comes that names it. */
const afterCall = (
  overrides: AgentDefinition,
  call: Omit<Tool, "id"> | null,
  request: Omit<Tool, "id">,
  name: string | null = null,
) => {
  const story = new Story({ definition: overrides }).up().queue(1).deliver(1);
  if (call !== null)
    story.report({
      kind: "tool",
      range: story.words(5),
      tool: { id: "t1", ...call },
    });
  const item: Partial<Extract<ReportItem, { kind: "permission_requested" }>> = {
    tool_call_id: "t1",
    title: request.title ?? "t1",
    tool_kind: request.kind ?? null,
    tool_name: name,
    detail: null,
    tool: { id: "t1", ...request },
  };
  story.report(askItem(permissionId(1, 10), story.words(5), item));
  const { answered_by } = story.last("session.permission.requested");
  return answered_by === undefined
    ? null
    : story.last("session.permission.answered").option_id;
};

const REMOVE = {
  kind: "execute",
  title: "Terminal",
  input: { command: "rm -rf x" },
};

test("[SES-67] what denies looks at the request and at what the call said before it", () => {
  for (const tool of ["Bash", "execute", "Bash(rm *)", "Terminal"]) {
    const deny = ruled("allow-all", ["deny", tool]);
    assert.equal(afterCall(deny, REMOVE, {}), "no", tool);
    const harmless = { kind: "read", title: "Read a", input: { path: "/w/a" } };
    assert.equal(afterCall(deny, REMOVE, harmless), "no", tool);
    assert.equal(afterCall(deny, harmless, REMOVE), "no", tool);
    assert.equal(afterCall(deny, harmless, {}), "yes", tool);
  }
  const listed = definition({
    disallowed_tools: ["Bash(rm *)"],
    permissions: { default: "allow-all", rules: [] },
  });
  assert.equal(afterCall(listed, REMOVE, { title: "ls" }), "no");
});

test("[SES-67] what allows must fit both where both say something", () => {
  const status = { kind: "execute", input: { command: "git status" } };
  const allow = ruled("ask", ["allow", "execute(git *)"]);
  assert.equal(afterCall(allow, status, {}), "yes", "the call has told it");
  assert.equal(afterCall(allow, null, status), "yes");
  assert.equal(afterCall(allow, status, status), "yes");
  assert.equal(afterCall(allow, REMOVE, status), null);
  assert.equal(afterCall(allow, status, REMOVE), null);
  const read = { kind: "read", input: { path: "/w/a" } };
  assert.equal(afterCall(ruled("allow-read"), read, {}), "yes");
  assert.equal(afterCall(ruled("allow-read"), REMOVE, read), null);
  const named = ruled("ask", ["allow", "Read"]);
  assert.equal(afterCall(named, read, read, "Read"), "yes");
  assert.equal(afterCall(named, REMOVE, read, "Read"), null);
});

test("[SES-67] a request of which nothing is known is a person's to answer where a rule restricts", () => {
  assert.equal(afterCall(ruled("allow-all", ["deny", "Bash"]), null, {}), null);
  assert.equal(afterCall(ruled("allow-all"), null, {}), "yes");
  const execute = { kind: "execute" };
  const deny = ruled("allow-all", ["deny", "Bash(rm *)"]);
  assert.equal(afterCall(deny, null, execute), null);
});

test("[SES-68] blanks and Claude's spelling of a prefix do not keep a rule from its command", () => {
  for (const what of ["rm  -rf x", " rm *", "rm:*", "rm -rf:*", "rm -rf x:*"])
    assert.equal(denied(`Bash(${what})`, { detail: "rm  -rf x" }), "no", what);
  assert.equal(denied("Bash(rm:*)", { detail: "rm" }), "no");
  assert.equal(denied("Bash(rm:*)", { detail: "rmdir x" }), "yes");
  assert.equal(allowed("Bash(git:*)", { detail: "git status" }), "yes");
  assert.equal(allowed("Bash( git * )", { detail: "git status" }), "yes");
  for (const detail of ["git status; rm x", "gitk", "git status\nrm x"])
    assert.equal(allowed("Bash(git:*)", { detail }), null, detail);
  assert.equal(allowed("Bash(a b)", { detail: "a\nb" }), null);
});

test("[SES-68] a command is denied behind assignments and words of the shell, by its path, and inside a shell's script", () => {
  for (const command of [
    "FOO=1 rm x",
    `A="b c" B='d' rm x`,
    "/bin/rm x",
    "FOO=1 /usr/bin/rm x",
    "for f in a; do rm $f; done",
    "bash -c 'rm x'",
    `/bin/bash -lc "rm x"`,
    "bash -c 'rm x; ls'",
    "sh -e -c 'ls && rm x'",
    `bash -c "bash -c 'rm x'"`,
    ["/bin/bash", "-lc", "rm -rf x"],
    ["bash", "-lc", "cd y && FOO=1 /bin/rm -rf x"],
  ]) {
    const tool = { id: "t1", input: { command } };
    assert.equal(denied("Bash(rm *)", { tool }), "no", String(command));
    assert.equal(allowed("Bash(rm *)", { tool }), null, "not for what allows");
  }
  const exact = { detail: "bash -c 'rm x'" };
  assert.equal(denied("Bash(rm x)", exact), "no");
  assert.equal(denied("Bash(rm *)", { detail: "ls /bin/rm x" }), "yes");
  assert.equal(denied("Bash(rm *)", { detail: "echo bash rm x" }), "yes");
});

test("[SES-68] all paths are looked at, of the input, the places and the changes", () => {
  const edit = (tool: Omit<Tool, "id">): Partial<Asking> => ({
    tool_kind: "edit",
    tool_name: "Edit",
    title: "Edit files",
    detail: "/w/a",
    tool: { id: "t1", ...tool },
  });
  const [a, passwd] = [{ path: "/w/a" }, { path: "/etc/passwd" }];
  const changed = { ...passwd, old_text: null, new_text: "" };
  for (const tool of [
    { locations: [a, passwd] },
    { locations: [a], diffs: [changed] },
    { input: { file_path: "/w/a", path: "/etc/passwd" } },
  ]) {
    assert.equal(denied("edit(/etc/*)", edit(tool)), "no");
    assert.equal(allowed("edit(/w/*)", edit(tool)), null);
  }
  const inside = edit({ locations: [a, { path: "/w/b" }] });
  assert.equal(allowed("edit(/w/*)", inside), "yes");
  assert.equal(denied("edit(/etc/*)", inside), "yes");
});

test("[SES-69] what is not seen to its end is not allowed where a rule looks at what its tool is to do", () => {
  const command = `echo ${"a".repeat(8100)}; rm -rf x`;
  const cut: Partial<Asking> = { detail: `${command.slice(0, 7999)}…` };
  const many = {
    detail: Array.from({ length: 1000 }, (_, n) => `c${n}`).join(";"),
  };
  const whole = { tool: { id: "t1", input: { command } } };
  for (const overrides of [cut, many, whole]) {
    assert.equal(denied("Bash(rm *)", overrides), null);
    assert.equal(denied("Bash", overrides), "no");
    assert.equal(denied("Read(/etc/*)", overrides), "yes", "of another tool");
    const listed = definition({
      disallowed_tools: ["Bash(rm *)"],
      permissions: {
        default: "ask",
        rules: [{ tool: "Bash", answer: "allow" }],
      },
    });
    assert.equal(answerByPolicy(listed, asking(overrides)), null);
    const first = ruled("ask", ["allow", "Bash"], ["deny", "Bash(rm *)"]);
    assert.equal(
      answerByPolicy(first, asking(overrides)),
      "yes",
      "it comes first",
    );
    const last = ruled(
      "allow-all",
      ["deny", "Bash(rm *)"],
      ["deny", "execute"],
    );
    assert.equal(answerByPolicy(last, asking(overrides)), "no");
  }
  const deny = ruled("allow-all", ["deny", "Bash(rm *)"]);
  const call = { kind: "execute", input: { command } };
  assert.equal(afterCall(deny, call, {}), null, "told before, and cut there");
});

test("[SES-80] a command in a form that is not known is asked where a rule denies", () => {
  const deny = ruled("allow-all", ["deny", "Bash(rm *)"]);
  for (const input of [
    { command: ["rm", 1] },
    { command: { program: "rm" } },
    { command: "ls", args: "; rm x" },
    { program: "rm", args: ["x"] },
    { script: "rm x" },
    { Command: "rm x" },
    ["rm", "x"],
    "rm x",
  ]) {
    const tool = { id: "t1", kind: "execute", input };
    assert.equal(denied("Bash(rm *)", { tool }), null);
    assert.equal(afterCall(deny, { kind: "execute", input }, {}), null);
    assert.equal(
      denied("Bash(rm *)", { tool: { ...tool, input: { command: "ls" } } }),
      "yes",
    );
  }
});

test("[SES-26] a star brings no other command along and leads nowhere else, whatever kind the agent tells", () => {
  for (const tool_kind of ["execute", "other", "read", "edit", null]) {
    const overrides = { tool_kind };
    const list = (detail: string) =>
      allowed("Bash(ls *)", { ...overrides, detail });
    assert.equal(list("ls x; rm y"), null);
    assert.equal(list("ls x"), "yes");
    const read = (detail: string) =>
      allowed("Read(/w/*)", { ...overrides, tool_name: "Read", detail });
    assert.equal(read("/w/../x"), null);
    assert.equal(read("/w/a"), "yes");
  }
});

test("[SES-70] a request is prepared once, and neither its texts nor their length grow without end", () => {
  const rules = (n: number, what: string) =>
    Array.from({ length: n }, (_, i) => `*(${what}${i})`);
  const many = Array.from({ length: 4000 }, (_, n) => n.toString(36)).join(";");
  const paths = Array.from({ length: 5000 }, (_, n) => ({
    path: `/${"a".repeat(900)}${n}`,
  }));
  for (const [what, overrides] of [
    ["a*".repeat(95) + "b", { detail: ";".repeat(7980) }],
    ["*a".repeat(95), { detail: many }],
    [`*b${"a".repeat(180)}*`, { detail: "a".repeat(7999) }],
    ["*a".repeat(95), { tool: { id: "t1", locations: paths } }],
  ] satisfies [string, Partial<Asking>][]) {
    const { parts } = saidOf(asking(overrides), null);
    assert.ok(parts.length <= 200, `${parts.length} texts`);
    assert.ok(parts.join("").length <= 32_000);
    const hostile = definition({
      disallowed_tools: rules(500, what),
      permissions: {
        default: "allow-all",
        rules: rules(200, what).map((tool) => ({ tool, answer: "deny" })),
      },
    });
    const began = performance.now();
    answerByPolicy(hostile, asking(overrides));
    const took = performance.now() - began;
    assert.ok(took < patience(1000), `${took} ms`);
  }
});
