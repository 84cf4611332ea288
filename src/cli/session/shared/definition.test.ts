import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fakeServer } from "../../fixtures/fake-server.ts";
import { runCli } from "../../fixtures/run-cli.ts";
import { SESSION, samplePrompt, sampleSession } from "../../fixtures/sample.ts";

const PNG = Buffer.from("89504e470d0a1a0a", "hex");

/** What is sent when nothing is said about it. */

/** A directory with something to attach and to read. */
const directory = (t: TestContext): string => {
  const path = mkdtempSync(join(tmpdir(), "reprise-cli-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, "screen.PNG"), PNG);
  writeFileSync(join(path, "log.txt"), "it broke\n");
  writeFileSync(join(path, "program"), Buffer.from([0, 1, 255]));
  writeFileSync(join(path, "rules.md"), "Answer in Latin.\n");
  return path;
};

test("[SES-26] [SES-28] session start says how the agent is to work", async (t) => {
  const cwd = directory(t);
  const server = await fakeServer(t, { createSession: () => sampleSession() });
  const { code, stderr } = await runCli(
    t,
    [
      "session",
      "start",
      "go",
      "--model",
      "m-1",
      "--mode",
      "plan",
      "--instructions",
      "rules.md",
      "--settings",
      '{"a":1}',
      "--permissions",
      "allow-read",
      "--allow",
      "Bash(git *)",
      "--deny",
      "Bash(git push *)",
      "--deny",
      "WebFetch",
      "--allowed-tools",
      "Read,Bash(git add, git commit)",
      "--disallowed-tools",
      "Write",
      "--disallowed-tools",
      "Edit",
      "--model-fallback",
      "--advisory-tools",
    ],
    { url: server.url, cwd },
  );
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(server.asked.at(-1)?.body, {
    cwd,
    model: "m-1",
    mode: "plan",
    instructions: "Answer in Latin.\n",
    settings: { a: 1 },
    permissions: {
      default: "allow-read",
      rules: [
        { tool: "Bash(git push *)", answer: "deny" },
        { tool: "WebFetch", answer: "deny" },
        { tool: "Bash(git *)", answer: "allow" },
      ],
    },
    allowed_tools: ["Read", "Bash(git add, git commit)"],
    disallowed_tools: ["Write", "Edit"],
    model_fallback: true,
    advisory_tools: true,
    prompt: "go",
  });
});

test("[SES-63] a malformed pattern is refused before anything is sent, with what is wrong", async (t) => {
  const server = await fakeServer(t, { createSession: () => sampleSession() });
  const unclosed = /a parenthesis is opened but never closed/;
  const wrong: [option: string, pattern: string, words: RegExp][] = [
    ["--deny", "Bash(rm *", unclosed],
    ["--deny", "Write(", unclosed],
    ["--deny", "", /names no tool/],
    ["--allow", "Bash git *)", /closed but never opened/],
    ["--allowed-tools", "Read,Bash(git *,Write", unclosed],
    ["--allowed-tools", "Bash()", /nothing between its parentheses/],
    ["--allowed-tools", "", /names no tool/],
    ["--disallowed-tools", "Bash(rm *) now", /nothing may follow/],
    ["--disallowed-tools", " , ", /names no tool/],
  ];
  const refused = async (command: string[], words: RegExp) => {
    const { code, stderr } = await runCli(t, command, { url: server.url });
    assert.equal(code, 2, stderr);
    assert.match(stderr, words);
    assert.ok(stderr.includes(command.at(-2) ?? ""), stderr);
  };
  for (const [option, pattern, words] of wrong)
    await refused(["session", "start", "go", option, pattern], words);
  const deny = ["--deny", "Bash(rm *"];
  await refused(["session", "resume", SESSION, ...deny], unclosed);
  const handoff = ["session", "handoff", SESSION, "--agent", "demo"];
  await refused([...handoff, ...deny], unclosed);
  assert.deepEqual(server.asked, []);
});

test("[SES-64] help says what TOOL is compared with", async (t) => {
  const { stdout } = await runCli(t, ["session", "start", "--help"], {});
  for (const words of [/name for the tool/, /kind \(read/, /its title/])
    assert.match(stdout.replaceAll(/\s+/g, " "), words);
});

test("[SES-30] files go with a prompt: images as images, texts as texts, others not at all", async (t) => {
  const cwd = directory(t);
  const server = await fakeServer(t, {
    createSession: () => sampleSession(),
    queuePrompt: () => samplePrompt,
  });
  const options = { url: server.url, cwd };
  const attached = ["--attach", "screen.PNG", "--attach", "log.txt"];
  const content = [
    { type: "text", text: "look" },
    { type: "image", mime_type: "image/png", data: PNG.toString("base64") },
    {
      type: "resource",
      uri: `file://${join(cwd, "log.txt")}`,
      mime_type: "text/plain",
      text: "it broke\n",
    },
  ];
  const prompt = ["session", "prompt", SESSION, "look", ...attached];
  assert.equal((await runCli(t, prompt, options)).code, 0);
  assert.deepEqual(server.asked.at(-1)?.body, { content });
  const start = ["session", "start", "look", ...attached];
  assert.equal((await runCli(t, start, options)).code, 0);
  assert.deepEqual(server.asked.at(-1)?.body, { cwd, content });

  for (const file of ["program", "nothing-there"]) {
    const refused = await runCli(
      t,
      ["session", "prompt", SESSION, "look", "--attach", file],
      options,
    );
    assert.equal(refused.code, 2, refused.stderr);
  }
});

test("[SES-29] [SES-31] session show tells how the agent works, and what it has cost", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({
        usage: { input_tokens: 22, output_tokens: 14, total_tokens: 36 },
        definition: {
          agent: "demo",
          home: "user",
          env_names: [],
          model: "m-1",
          mode: "plan",
          instructions: "Answer in Latin.\nAlways.",
          instruction_files: [{ name: "CLAUDE.md", sha256: "1" }],
          allowed_tools: ["Read"],
          disallowed_tools: ["Bash"],
          permissions: {
            default: "allow-read",
            rules: [{ tool: "WebFetch", answer: "deny" }],
          },
        },
      }),
  });
  const { stdout, stderr } = await runCli(t, ["session", "show", SESSION], {
    url: server.url,
  });
  assert.equal(stderr, "");
  for (const words of [
    /model\s+m-1/,
    /mode\s+plan/,
    /tools\s+only Read; not Bash/,
    /permits\s+allow-read; deny WebFetch/,
    /instructions\s+Answer in Latin\. Always\./,
    /it reads\s+CLAUDE\.md/,
    /tokens\s+36 \(22 in, 14 out\)/,
  ])
    assert.match(stdout, words);
});

const { definition } = sampleSession();

test("[SES-58] session show tells what is in force and how it is held, not what was asked for", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({
        definition: {
          ...definition,
          model: "big",
          mode: "plan",
          settings: { a: 1 },
          disallowed_tools: ["Bash"],
        },
        applied: {
          mode: { value: "plan", held: "agent" },
          model: { value: "small", held: "agent" },
          settings: { value: ["a"], held: "agent" },
          tools: {
            value: { allowed: null, disallowed: ["Bash"] },
            held: "words",
          },
        },
      }),
  });
  const show = ["session", "show", SESSION];
  const { stdout } = await runCli(t, show, { url: server.url });
  for (const words of [
    /model\s+small, held by the agent; big was asked for/,
    /mode\s+plan, held by the agent\n/,
    /settings\s+a, held by the agent\n/,
    /tools\s+not Bash, asked, not enforced\n/,
  ])
    assert.match(stdout, words);
});

test("[SES-57] session show names the commands that go on with a session that a restriction stopped", async (t) => {
  const server = await fakeServer(t, {
    showSession: () =>
      sampleSession({
        state: "ERROR",
        definition: { ...definition, mode: "readonly" },
        error_message: "The agent does not have the mode readonly.",
        error_code: "restriction_not_held",
        restriction: {
          what: "mode",
          asked: "readonly",
          reason: "not_offered",
          valid: ["read-only"],
          message: null,
        },
      }),
  });
  const show = ["session", "show", SESSION];
  const { stdout } = await runCli(t, show, { url: server.url });
  assert.match(stdout, /mode\s+readonly, asked for\n/);
  for (const options of ["--mode read-only", "--without mode"])
    assert.ok(
      stdout.includes(`reprise session resume ${SESSION} ${options}\n`),
      stdout,
    );
});

test("[API-124] resume and handoff say what is to be changed; a word that is nothing is refused", async (t) => {
  const session = () => sampleSession();
  const server = await fakeServer(t, {
    showSession: session,
    resumeSession: session,
    handOffSession: session,
  });
  const options = { url: server.url };
  const changes = ["--mode", "plan", "--without", "model,tools"];
  const resume = ["session", "resume", SESSION, ...changes];
  assert.equal((await runCli(t, resume, options)).code, 0);
  const body = { mode: "plan", without: ["model", "tools"] };
  assert.deepEqual(server.asked.at(-1)?.body, body);
  const handoff = ["session", "handoff", SESSION, "--agent", "x", ...changes];
  assert.equal((await runCli(t, handoff, options)).code, 0);
  assert.deepEqual(server.asked.at(-1)?.body, { agent: "x", ...body });

  const refused = await runCli(
    t,
    ["session", "resume", SESSION, "--without", "everything"],
    options,
  );
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--without must be one of mode, model/);
});
