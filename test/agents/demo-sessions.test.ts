import { methods } from "@agentclientprotocol/sdk/unstable";
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  appendFileSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { driveDemo, scratch } from "./drive.ts";

const { fork, load, resume } = methods.agent.session;

const fileOf = (home: string, id: string): string =>
  join(home, "sessions", `${id}.jsonl`);

/** A session with a pass key in it, whose agent was killed in the middle of a turn. */
const killedSession = async (t: TestContext) => {
  const [home, cwd] = [scratch(t), scratch(t)];
  const demo = driveDemo(t, home);
  const sessionId = await demo.open(cwd);
  await demo.prompt(sessionId, "remember pass=mellon");
  const exited = once(demo.child, "exit");
  await assert.rejects(demo.prompt(sessionId, "crash\nremember late=1"));
  await exited;
  return { home, cwd, sessionId, file: fileOf(home, sessionId) };
};

test("the handshake says what can be resumed", async (t) => {
  const abilities = async (...flags: string[]) =>
    (await driveDemo(t, scratch(t), { flags }).initialize())
      .agentCapabilities ?? {};
  const native = await abilities();
  assert.equal(native.loadSession, true);
  assert.deepEqual(native.sessionCapabilities, {
    close: {},
    resume: {},
    fork: {},
  });
  for (const flag of ["--no-native", "--no-memory"]) {
    const { loadSession, sessionCapabilities } = await abilities(flag);
    assert.equal(loadSession, false);
    assert.deepEqual(sessionCapabilities, { close: {} });
  }
});

test("session/resume brings the memory back without a replay, also of the prompt that was cut short", async (t) => {
  const { home, cwd, sessionId } = await killedSession(t);
  const demo = driveDemo(t, home);
  await demo.initialize();
  await demo.agent.request(resume, { sessionId, cwd, mcpServers: [] });
  assert.deepEqual(demo.updates, []);
  await demo.prompt(sessionId, "recall pass\nrecall late\nhello");
  assert.match(demo.said(), /^pass=mellon\nlate=1\n/);
  assert.match(demo.said(), /I remember 3 prompts/);
});

test("session/load replays what was said before it answers", async (t) => {
  const { home, cwd, sessionId } = await killedSession(t);
  const demo = driveDemo(t, home);
  await demo.initialize();
  await demo.agent.request(load, { sessionId, cwd, mcpServers: [] });
  assert.deepEqual(
    demo.updates.map((update) => [
      update.sessionUpdate,
      "content" in update ? update.content : null,
    ]),
    [
      ["user_message_chunk", { type: "text", text: "remember pass=mellon" }],
      [
        "agent_message_chunk",
        { type: "text", text: "I will remember pass.\n" },
      ],
      ["user_message_chunk", { type: "text", text: "crash\nremember late=1" }],
    ],
  );
  await demo.prompt(sessionId, "recall pass");
  assert.match(demo.said(), /pass=mellon\n$/);
});

test("session/fork copies: each goes its own way from there", async (t) => {
  const { home, cwd, sessionId } = await killedSession(t);
  const demo = driveDemo(t, home);
  await demo.initialize();
  await demo.agent.request(resume, { sessionId, cwd, mcpServers: [] });
  const forked = await demo.agent.request(fork, {
    sessionId,
    cwd,
    mcpServers: [],
  });
  await demo.prompt(forked.sessionId, "recall pass\nremember pass=changed");
  await demo.prompt(sessionId, "recall pass");
  assert.match(demo.said(), /^pass=mellon\n.*\npass=mellon\n$/s);
  assert.notEqual(forked.sessionId, sessionId);
  assert.match(readFileSync(fileOf(home, forked.sessionId), "utf8"), /mellon/);
});

test("the file is private, begins with its header and has a line per prompt and answer", async (t) => {
  const { file, sessionId, cwd } = await killedSession(t);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const records = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    records.map(({ type }) => type),
    ["session", "prompt", "answer", "prompt"],
  );
  assert.equal(records[0].id, sessionId);
  assert.equal(records[0].cwd, cwd);
});

test("[P6] a session that is unknown or damaged is refused with -32002, by load, resume and fork", async (t) => {
  const { home, cwd, sessionId, file } = await killedSession(t);
  const whole = readFileSync(file);
  const demo = driveDemo(t, home);
  await demo.initialize();
  const refused = async (id: string, why: string): Promise<void> => {
    for (const method of [load, resume, fork])
      await assert.rejects(
        demo.agent.request(method, { sessionId: id, cwd, mcpServers: [] }),
        { code: -32002, message: "session not found or damaged" },
        why,
      );
  };
  await refused("nobody", "unknown");
  await refused(`../sessions/${sessionId}`, "not an id");
  writeFileSync(file, "");
  await refused(sessionId, "empty");
  writeFileSync(file, whole);
  truncateSync(file, whole.length - 10);
  await refused(sessionId, "cut");
  writeFileSync(file, whole);
  appendFileSync(file, "garbage\n");
  await refused(sessionId, "garbage behind");
  writeFileSync(file, whole.subarray(whole.indexOf("\n") + 1));
  await refused(sessionId, "without its header");
  writeFileSync(file, whole.toString().replaceAll(sessionId, "another"));
  await refused(sessionId, "of another session");
  writeFileSync(file, whole);
  await demo.agent.request(resume, { sessionId, cwd, mcpServers: [] });
});

test("what brings a session back is no method of an agent that cannot", async (t) => {
  const { home, cwd, sessionId } = await killedSession(t);
  for (const flags of [["--no-native"], ["--no-memory"]]) {
    const demo = driveDemo(t, home, { flags });
    await demo.initialize();
    for (const method of [load, resume, fork])
      await assert.rejects(
        demo.agent.request(method, { sessionId, cwd, mcpServers: [] }),
        { code: -32601 },
      );
  }
});
