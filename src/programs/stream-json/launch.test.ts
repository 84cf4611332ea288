import assert from "node:assert/strict";
import { test } from "node:test";
import { amp } from "./amp.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { asConfigured } from "../../agents/launch/stream-json-definition.ts";
import type { Dialect, Thread, TurnOrder } from "./dialect/dialect.ts";
import { Tokens } from "./tokens.ts";

const ID = "5d4541f4-b6d9-4431-be2d-4d88180a643f";

const launch = (
  dialect: Dialect,
  thread: Thread,
  more: Partial<TurnOrder> = {},
) =>
  dialect.launch({
    thread,
    prompt: [{ type: "text", text: "hello" }],
    mode: null,
    definition: asConfigured,
    mcpServers: [],
    ...more,
  });

/** The flags that say which session. */
const named = (dialect: Dialect, thread: Thread): string[] =>
  launch(dialect, thread).args.filter((word) =>
    /resume|session|^fork|^threads|^continue|^exec$|^-$|[0-9a-f]{12}$/.test(
      word,
    ),
  );

const known: Thread = { kind: "known", id: ID, at: null };

test("a session of Claude Code is named by us, then resumed, also after a certain message, and forked", () => {
  assert.deepEqual(named(claude, { kind: "new", id: ID }), [
    `--session-id=${ID}`,
  ]);
  assert.deepEqual(named(claude, known), [`--resume=${ID}`]);
  assert.deepEqual(named(claude, { ...known, at: "u-1" }), [
    `--resume=${ID}`,
    "--resume-session-at=u-1",
  ]);
  assert.deepEqual(
    named(claude, { kind: "fork", of: ID, id: "f-1", at: null }),
    [`--resume=${ID}`, "--fork-session", "--session-id=f-1"],
  );
});

test("Codex and Amp name their threads themselves; a prompt is never on a command line", () => {
  assert.deepEqual(named(codex, { kind: "new", id: null }), ["exec", "-"]);
  assert.deepEqual(named(codex, known), ["exec", "resume", ID, "-"]);
  const fork: Thread = { kind: "fork", of: ID, id: null, at: null };
  assert.deepEqual(named(codex, fork), ["exec", "fork", ID, "-"]);
  const thread: Thread = { kind: "known", id: `T-${ID}`, at: null };
  assert.deepEqual(named(amp, thread), ["threads", "continue", `T-${ID}`]);
  for (const dialect of [claude, codex, amp])
    assert.ok(!launch(dialect, known).args.includes("hello"));
  assert.equal(launch(codex, known).input, "hello");
});

test("what is no id of a CLI is not given to it", () => {
  for (const dialect of [claude, codex, amp])
    for (const id of ["", "nonsense", "--last", `${ID} --all`])
      assert.equal(dialect.isId(id), false, id);
});

test("values of MCP servers go through the environment", () => {
  const mcpServers = [
    {
      name: "files",
      command: "/bin/files",
      args: ["-v"],
      env: [{ name: "FILES_KEY", value: "secret-1" }],
    },
    {
      type: "http" as const,
      name: "web",
      url: "https://example.com/mcp",
      headers: [{ name: "Authorization", value: "secret-2" }],
    },
  ];
  for (const dialect of [claude, codex]) {
    const { args, env } = launch(dialect, known, { mcpServers });
    assert.doesNotMatch(args.join(" "), /secret/);
    assert.deepEqual(Object.values(env), ["secret-1", "secret-2"]);
    assert.match(args.join(" "), /files.*https:\/\/example\.com\/mcp/);
  }
});

test("[SES-42] credentials in addresses and arguments are not on Claude's command line, and are refused to Codex's CLI", () => {
  const mcpServers = [
    {
      name: "files",
      command: "/bin/files",
      args: ["-v", "--api-key=secret-1", "--token", "secret-2"],
      env: [],
    },
    {
      type: "http" as const,
      name: "web",
      url: "https://secret-3@example.com/mcp?key=secret-4",
      headers: [],
    },
  ];
  const { args, env } = launch(claude, known, { mcpServers });
  assert.doesNotMatch(args.join(" "), /secret/);
  assert.match(
    args.join(" "),
    /"--api-key=\$\{REPRISE_MCP_0\}","--token","\$\{REPRISE_MCP_1\}"/,
  );
  assert.match(
    args.join(" "),
    /https:\/\/\$\{REPRISE_MCP_2\}@example\.com\/mcp\?key=\$\{REPRISE_MCP_3\}/,
  );
  assert.deepEqual(
    Object.values(env),
    [1, 2, 3, 4].map((n) => `secret-${n}`),
  );
  for (const server of mcpServers)
    assert.throws(
      () => launch(codex, known, { mcpServers: [server] }),
      (error) =>
        error instanceof Error &&
        /credential in its address or arguments.*variable or as a header/.test(
          error.message,
        ) &&
        !error.message.includes("secret"),
    );
});

test("two MCP servers that want different values of one variable are refused to Codex's CLI, which has one environment", () => {
  const server = (name: string, value: string) => ({
    name,
    command: "/bin/files",
    args: [],
    env: [{ name: "KEY", value }],
  });
  const launched = (...mcpServers: ReturnType<typeof server>[]) =>
    launch(codex, known, { mcpServers }).env["KEY"];
  assert.equal(launched(server("a", "same"), server("b", "same")), "same");
  assert.throws(
    () => launched(server("a", "one"), server("b", "other")),
    /b and another MCP server want different values of KEY/,
  );
});

test("a picture goes to Claude Code as it is, to others by name", () => {
  const prompt = [
    { type: "image" as const, mimeType: "image/png", data: "AA==" },
  ];
  assert.match(launch(claude, known, { prompt }).input, /"data":"AA=="/);
  assert.match(launch(codex, known, { prompt }).input, /image, not shown/);
});

test("a mode is a flag of the CLI's own", () => {
  const mode = (dialect: Dialect, id: string) =>
    launch(dialect, known, { mode: id }).args.join(" ");
  assert.match(mode(claude, "plan"), /--permission-mode=plan/);
  assert.match(mode(codex, "read-only"), /-c sandbox_mode="read-only"/);
});

test("what a turn cost is the difference of totals, and unknown where the first is", () => {
  const total = (tokens: number) => ({
    of: "session" as const,
    usage: { inputTokens: tokens, outputTokens: 1, totalTokens: tokens + 1 },
  });
  const fresh = new Tokens(true);
  assert.equal(fresh.spent(total(10))?.inputTokens, 10);
  assert.equal(fresh.spent(total(25))?.inputTokens, 15);
  const resumed = new Tokens(false);
  assert.equal(resumed.spent(total(25)), null);
  assert.equal(resumed.spent(total(30))?.inputTokens, 5);
});

test("[LNK-44] a CLI gets its model, and Claude Code its tools and settings, with every run; settings are never on a command line", () => {
  const definition = {
    model: "m-1",
    offered: ["Bash", "Read"],
    withheld: ["Bash(rm *)"],
    settings: "/x/settings.json",
  };
  const { args } = launch(claude, known, { definition });
  for (const flag of [
    "--model=m-1",
    "--tools=Bash,Read",
    "--disallowedTools=AskUserQuestion,Bash(rm *)",
    "--settings=/x/settings.json",
  ])
    assert.ok(args.includes(flag), flag);
  assert.ok(launch(codex, known, { definition }).args.includes("--model=m-1"));
});
