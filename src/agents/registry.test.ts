import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { claude } from "./claude/claude.ts";
import { scratch } from "./fixtures/scratch.ts";
import { loginCommand } from "./launch/login.ts";
import type { Where } from "./launch/launch.ts";
import type { AgentOverride } from "../contract/agent/agent.ts";
import { HOME_VARIABLES } from "../contract/agent/home-variables.ts";
import { agentOf, knownAgents } from "./registry.ts";
import { viewOf } from "./view.ts";

const where = (changes: Partial<Where> = {}): Where => ({
  path: "/usr/bin:/bin",
  env: {},
  programs: "/nowhere",
  node: process.execPath,
  ...changes,
});

test("the agents are known, each with what may be asked of it", () => {
  assert.deepEqual(
    knownAgents({}).map(({ id, native, injection }) => [id, native, injection]),
    [
      ["claude", true, true],
      ["codex", true, true],
      ["opencode", true, true],
      ["gemini", true, true],
      ["copilot", true, true],
      ["auggie", true, true],
      ["amp", true, true],
      ["demo", true, true],
      ["demo-inject", false, true],
      ["demo-fresh", false, false],
    ],
  );
  assert.equal(agentOf("nobody"), null);
  assert.equal(agentOf("nobody", { env: { A: "1" } }), null);
});

test("[SES-61] the variables that say where an agent keeps its things are all known", () => {
  const named = knownAgents({}).flatMap(({ home }) =>
    Object.keys(home?.roots ?? {}),
  );
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !HOME_VARIABLES.includes(name)),
    [],
  );
});

test("demo is found as a bundle, else as source, with its version", async (t) => {
  const source = await agentOf("demo-inject")?.locate(where());
  assert.match(source?.argv[1] ?? "", /src\/programs\/demo\/main\.ts$/);
  assert.deepEqual(source?.argv.slice(2), ["--no-native"]);
  const programs = scratch(t);
  const bundle = join(programs, "demo-agent.js");
  writeFileSync(bundle, "");
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  assert.deepEqual(await agentOf("demo")?.locate(where({ programs })), {
    argv: [process.execPath, bundle],
    env: {},
    version,
    found: "built-in",
  });
});

test("an entry with another id and a command is a new ACP agent", async () => {
  const agent = agentOf("mine", { command: ["env", "--acp"], env: { A: "1" } });
  assert.equal(agent?.driver, "acp");
  assert.equal(agent.native, true);
  assert.equal(agent.injection, true);
  const launch = await agent.locate(where());
  assert.match(launch?.argv[0] ?? "", /^\/(usr\/)?bin\/env$/);
  assert.deepEqual(launch?.argv.slice(1), ["--acp"]);
  assert.deepEqual(launch?.env, { A: "1" });
  assert.ok(agent.isUnknownSession?.({ code: -32002, message: "" }));
  assert.deepEqual(
    knownAgents({ mine: { command: ["env"] }, theirs: {} })
      .map(({ id }) => id)
      .slice(-4),
    ["demo", "demo-inject", "demo-fresh", "mine"],
  );
});

test("a command that is not there, not executable or no file is not installed", async (t) => {
  const directory = scratch(t);
  const plain = join(directory, "plain");
  writeFileSync(plain, "#!/bin/sh\n", { mode: 0o644 });
  mkdirSync(join(directory, "folder"));
  const located = (program: string, path = directory) =>
    agentOf("mine", { command: [program] })?.locate(where({ path }));
  assert.equal(await located("plain"), null);
  assert.equal(await located(plain), null);
  assert.equal(await located("folder"), null);
  assert.equal(await located("missing"), null);
  chmodSync(plain, 0o755);
  assert.equal((await located("plain"))?.argv[0], plain);
  assert.equal((await located(plain, ""))?.argv[0], plain);
  assert.equal(await located("./plain"), null);
});

test("an override changes the launch, restricts native resume and decides on injection", async () => {
  const agent = agentOf("demo", {
    command: ["env", "demo"],
    env: { A: "1" },
    native_session_resume: false,
    history_context_injection: false,
  });
  assert.equal(agent?.name, "Demo");
  assert.equal(agent.native, false);
  assert.equal(agent.injection, false);
  assert.deepEqual((await agent.locate(where()))?.argv.slice(1), ["demo"]);
  const fresh = agentOf("demo-fresh", {
    native_session_resume: true,
    history_context_injection: true,
    env: { B: "2" },
  });
  assert.equal(fresh?.native, false);
  assert.equal(fresh?.injection, true);
  const launch = await fresh?.locate(where());
  assert.deepEqual(launch?.argv.slice(2), ["--no-memory"]);
  assert.deepEqual(launch?.env, { B: "2" });
});

test("demo's transcript is its session file, where it exists", async (t) => {
  const [home, elsewhere] = [scratch(t), scratch(t)];
  const transcript = (env: Record<string, string>, id: string) =>
    agentOf("demo")?.transcript?.({ home, cwd: "/", env }, id);
  assert.equal(await transcript({}, "s-1"), null);
  for (const [env, base] of [
    [{}, join(home, ".reprise-demo")],
    [{ DEMO_HOME: elsewhere }, elsewhere],
  ] as const) {
    mkdirSync(join(base, "sessions"), { recursive: true });
    const file = join(base, "sessions", "s-1.jsonl");
    writeFileSync(file, "");
    assert.equal(await transcript(env, "s-1"), file);
    assert.equal(await transcript(env, "../sessions/s-1"), null);
  }
});

test("[LNK-24] the command that logs in is one that works with the PATH", async (t) => {
  const bin = await mkdtemp(join(tmpdir(), "reprise-bin-"));
  t.after(() => rm(bin, { recursive: true }));
  const { login } = claude;
  assert.ok(login);
  assert.match(
    await loginCommand(login, bin),
    /^npx --yes @anthropic-ai\/claude-code@\S+ \/login$/,
  );
  await writeFile(join(bin, "claude"), "", { mode: 0o755 });
  assert.equal(await loginCommand(login, bin), "claude /login");
});

test("[API-137] an agent that is not installed says which program was looked for", async () => {
  const nowhere = where({ path: "/nowhere" });
  const missing = async (id: string, override?: AgentOverride) => {
    const agent = agentOf(id, override);
    assert.ok(agent);
    return (await viewOf(agent, nowhere, { patient: false })).missing;
  };
  assert.equal(await missing("amp"), "amp-acp");
  assert.equal(await missing("amp", { driver: "stream-json" }), "amp");
  assert.equal(await missing("amp", { command: ["mine", "-x"] }), "mine");
  assert.equal(await missing("gemini"), "gemini");
  assert.equal(await missing("own", { command: ["/no/own"] }), "/no/own");
  assert.equal(await missing("demo"), null);
});

test("[API-150] nobody knows whether an agent that only config.json defines needs a login", async () => {
  const view = async (id: string, override?: AgentOverride) => {
    const agent = agentOf(id, override);
    assert.ok(agent);
    const { login, configured } = await viewOf(agent, where(), {
      patient: false,
    });
    return [login, configured];
  };
  assert.deepEqual(await view("cat", { command: ["cat"] }), ["unknown", true]);
  assert.deepEqual(await view("demo"), ["yes", undefined]);
  const own = { command: ["cat"] };
  assert.deepEqual(await view("demo", own), ["yes", undefined]);
});
