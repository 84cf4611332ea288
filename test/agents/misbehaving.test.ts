/** That the programs do what README.md says of them, so that a test which uses one tests what it means to. */
import { methods } from "@agentclientprotocol/sdk/unstable";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { drive, driveDemo, scratch, type Driven } from "./drive.ts";
import { fileHas } from "./file-has.ts";

const path = (name: string): string => join(import.meta.dirname, `${name}.ts`);

const misbehaving = (
  t: TestContext,
  name: string,
  env: Record<string, string> = {},
) => drive(t, [process.execPath, path(name)], env);

/** Writes a megabyte, more than a pipe holds; resolves with whether it was read when it was, or when the reader is gone. */
const readMegabyte = ({ child }: Driven): Promise<boolean> =>
  new Promise((resolve) => {
    child.stdin.write("x".repeat(1024 * 1024), (error) => resolve(!error));
  });

/** Resolves when the child has written this to stderr. */
const heard = async ({ child }: Driven, words: string): Promise<void> => {
  let text = "";
  for await (const piece of child.stderr) {
    text += String(piece);
    if (text.includes(words)) return;
  }
  assert.fail(`stderr ended without: ${words}`);
};

test("exits-at-once says why and exits with 7", async (t) => {
  const agent = misbehaving(t, "exits-at-once");
  const exited = once(agent.child, "exit");
  await heard(agent, "no licence file");
  assert.deepEqual(await exited, [7, null]);
});

test("garbage-first is the demo agent after its garbage", async (t) => {
  const child = spawn(process.execPath, [path("garbage-first")], {
    env: { ...process.env, DEMO_HOME: scratch(t) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n',
  );
  const text = Buffer.concat(await child.stdout.toArray()).toString();
  assert.ok(text.startsWith("Welcome to garbage-first"));
  assert.match(text, /"no": "rpc"[^]*"agentInfo":\{"name":"demo"/);
});

test("wrong-version answers with 99", async (t) => {
  const agent = misbehaving(t, "wrong-version");
  const { protocolVersion } = await agent.agent.request<{
    protocolVersion: number;
  }>("initialize", { protocolVersion: 1 });
  assert.equal(protocolVersion, 99);
});

test("needs-login refuses a session with -32000", async (t) => {
  const agent = misbehaving(t, "needs-login");
  await assert.rejects(agent.open("/"), { code: -32000 });
});

test("closes-stdout ends its words at session/new and lives on", async (t) => {
  const agent = misbehaving(t, "closes-stdout");
  const ended = once(agent.child.stdout, "end");
  await assert.rejects(agent.open("/"), /closed/);
  await ended;
  assert.equal(agent.child.exitCode, null);
  assert.equal(agent.child.signalCode, null);
});

test("never-answers reads and says nothing; never-reads and stops-reading do not read", async (t) => {
  const never = misbehaving(t, "never-reads");
  const stops = misbehaving(t, "stops-reading");
  await stops.open("/");
  const unread = Promise.all([never, stops].map(readMegabyte));

  // By the time one that began later has read it all, the others would have, too.
  const reader = misbehaving(t, "never-answers");
  assert.equal(await readMegabyte(reader), true);
  for (const { child } of [never, stops, reader]) child.kill("SIGKILL");
  assert.deepEqual(await unread, [false, false]);
  assert.deepEqual(reader.updates, []);
});

test("ignores-sigterm outlives polite signals and the end of stdin", async (t) => {
  const agent = misbehaving(t, "ignores-sigterm");
  await agent.open("/");
  agent.child.stdin.end();
  agent.child.kill("SIGTERM");
  await heard(agent, "ignored SIGTERM");
  assert.equal(agent.child.exitCode, null);
});

test("floods says 10 MB on one line", async (t) => {
  const agent = misbehaving(t, "floods");
  await agent.prompt(await agent.open("/"), "go");
  assert.equal(agent.said().length, 10 * 1024 * 1024);
  assert.equal(agent.updates.length, 1);
});

test("hostile-text arrives as it was meant", async (t) => {
  const agent = misbehaving(t, "hostile-text");
  const stop = await agent.prompt(await agent.open("/"), "go");
  assert.equal(stop, "end_turn");
  for (const piece of ["\u001b[2J", "\u202e", "\u0000", '"id":"fake"'])
    assert.ok(agent.said().includes(piece));
});

test("leaves-process leaves one that writes on after the agent is gone", async (t) => {
  const cwd = scratch(t);
  const log = join(cwd, "survivor.log");
  writeFileSync(log, "");
  const agent = drive(t, [
    "sh",
    "-c",
    'cd "$0" && exec "$@"',
    cwd,
    process.execPath,
    path("leaves-process"),
  ]);
  await agent.prompt(await agent.open(cwd), "go");
  const pid = Number(/left (\d+) behind/.exec(agent.said())?.[1]);
  t.after(() => process.kill(-pid, "SIGKILL"));
  await fileHas(log, /still here/);
  assert.equal(await agent.end(), 0);
  process.kill(pid, "SIGTERM");
  writeFileSync(log, "");
  await fileHas(log, /still here/);
});

test("tee-stdin keeps what the agent reads, and ends as it ends", async (t) => {
  const [home, file] = [scratch(t), join(scratch(t), "stdin")];
  const demo = driveDemo(t, home, { tee: file });
  const sessionId = await demo.open(scratch(t));
  await demo.prompt(sessionId, "remember pass=mellon");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).method),
    [
      methods.agent.initialize,
      methods.agent.session.new,
      methods.agent.session.prompt,
    ],
  );
  const exited = once(demo.child, "exit");
  await assert.rejects(demo.prompt(sessionId, "crash"));
  assert.deepEqual(await exited, [null, "SIGKILL"]);
});
