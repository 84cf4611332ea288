import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test as testAlone } from "node:test";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { TestHouse, root, say } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const tee = join(root, "test/agents/tee-stdin.ts");
const demo = programOfProduct(
  "demo-agent",
  join(root, "src/programs/demo/main.ts"),
);

const pidOf = async (
  house: TestHouse,
  execution: string | null,
): Promise<string> =>
  (
    await readFile(
      join(house.home, "agentctl/executions", execution ?? "", "pid"),
      "utf8",
    )
  ).trim();

test("[P6] demo: remember, pause, resume, recall: another process, native, verified; another session knows nothing", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await say(client, session.id, "hello");
  const first = await client.showSession(session.id);
  const firstPid = await pidOf(house, first.agent_execution_id);

  const paused = await client.pauseSession(session.id);
  assert.equal(paused.state, "PAUSED");
  assert.equal(paused.is_agent_running, false);
  assert.throws(() => process.kill(Number(firstPid), 0), "the agent is gone");

  const resumed = await client.resumeSession(session.id);
  assert.deepEqual(
    [
      resumed.resume?.grade,
      resumed.resume?.path,
      resumed.resume?.verified,
      resumed.resume?.lost,
    ],
    ["native", "fast", true, null],
  );
  assert.notEqual(await pidOf(house, resumed.agent_execution_id), firstPid);
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );

  const other = await client.createSession({ cwd: house.workspace });
  assert.equal(
    (await say(client, other.id, "recall pass")).trim(),
    "pass is unknown",
  );

  const already = await client.resumeSession(session.id);
  assert.equal(
    already.agent_execution_id,
    resumed.agent_execution_id,
    "an agent that runs is left alone",
  );
});

test("[P6] demo: a session file damaged while paused is noticed: not native, not verified, history injected, recall works", async ({
  house,
  client,
}) => {
  for (const damage of [
    "truncated",
    "overwritten",
    "changed inside",
  ] as const) {
    const session = await client.createSession({
      cwd: house.workspace,
      prompt: "remember pass=mellon",
    });
    await say(client, session.id, "a second prompt");
    await client.pauseSession(session.id);
    const { metadata } = await client.showSession(session.id);
    const file = join(
      house.directory,
      ".reprise-demo/sessions",
      `${metadata.resume_token}.jsonl`,
    );
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      damage === "truncated"
        ? text.slice(0, text.length / 2)
        : damage === "overwritten"
          ? "garbage\n"
          : text.replace("mellon", "friend"),
    );
    const { resume } = await client.resumeSession(session.id);
    assert.notEqual(resume?.grade, "native", damage);
    assert.equal(resume?.verified, false);
    assert.ok(resume?.lost !== null);
    // demo itself reads only its own file; what it is told is the history.
    assert.match(await say(client, session.id, "hello again"), /You said: /);
  }
});

testAlone(
  "[P6] demo-inject: the history reaches the agent's stdin exactly once, and it recalls from it",
  async () => {
    await using house = await TestHouse.make();
    const record = join(house.directory, "stdin.txt");
    await writeFile(
      join(house.home, "config.json"),
      JSON.stringify({
        agents: {
          "demo-inject": {
            command: [
              process.execPath,
              tee,
              record,
              "--",
              process.execPath,
              demo,
              "--no-native",
            ],
          },
        },
      }),
    );
    const { client } = await house.up();
    const session = await client.createSession({
      agent: "demo-inject",
      cwd: house.workspace,
      prompt: "remember pass=mellon",
    });
    await say(client, session.id, `write big.txt ${"x".repeat(100)}`);
    await client.pauseSession(session.id);
    assert.equal(
      (await client.showSession(session.id)).metadata.resume_token,
      null,
      "no token for an agent without native resume",
    );

    const { resume } = await client.resumeSession(session.id);
    assert.deepEqual(
      [resume?.grade, resume?.strategy, resume?.verified],
      ["injected", "injected", false],
    );
    assert.equal(
      (await say(client, session.id, "recall pass")).trim(),
      "pass=mellon",
    );
    await say(client, session.id, "hello");

    const stdin = await readFile(record, "utf8");
    assert.equal(
      stdin.split("RESUME CONTEXT FOR CONTINUING TASK").length - 1,
      1,
    );
    assert.equal(stdin.split("=== CURRENT REQUEST ===").length - 1, 1);
    assert.ok(stdin.includes("[USER]: remember pass=mellon"));
    // The files of a session follow what happens in it.
    const log = await eventually(
      () =>
        readFile(
          join(house.home, "sessions", session.id, "session.log"),
          "utf8",
        ),
      (text) => text.split("TURN COMPLETED").length > 4,
    );
    assert.equal(
      log.split("RESUME CONTEXT FOR CONTINUING TASK").length - 1,
      1,
      "the log has the prompt as it was sent",
    );
  },
);

test("[P6] demo-fresh: says what was lost, and is not resumed by looking at it", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    agent: "demo-fresh",
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await say(client, session.id, "hello");
  await client.pauseSession(session.id);
  const status = await client.sessionStatus(session.id);
  assert.deepEqual(
    [status.is_resumable, status.needs_resume, status.resume_reason],
    [false, false, "not_resumable"],
  );
  const { resume } = await client.resumeSession(session.id);
  assert.equal(resume?.grade, "fresh");
  assert.match(resume?.lost ?? "", /conversation of 2 turns/);
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass is unknown",
  );
});

test("a prompt brings a paused session back by itself", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await say(client, session.id, "hello");
  await client.pauseSession(session.id);
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
});

test("the files of a session are current and private", async ({
  house,
  server,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "write a.txt hello",
  });
  await say(client, session.id, "count 3 0");
  await client.pauseSession(session.id);
  const { messages } = await client.listMessages(session.id);
  await server.stop();
  const directory = join(house.home, "sessions", session.id);
  assert.deepEqual((await readdir(directory)).sort(), [
    "conversation.json",
    "history.jsonl",
    "metadata.json",
    "session.log",
    "summary.json",
  ]);
  const json = async (name: string) =>
    JSON.parse(await readFile(join(directory, name), "utf8"));
  const conversation = await json("conversation.json");
  assert.deepEqual(Object.keys(conversation).sort(), [
    "agent_name",
    "created_at",
    "last_updated",
    "messages",
    "session_id",
  ]);
  assert.deepEqual(conversation.messages, messages);
  const history = (await readFile(join(directory, "history.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  assert.deepEqual(history, [
    "user_message",
    "tool_call",
    "tool_result",
    "agent_message",
    "user_message",
    "agent_message",
  ]);
  const metadata = await json("metadata.json");
  assert.deepEqual(Object.keys(metadata).sort(), [
    "agent_name",
    "executor_id",
    "last_active_at",
    "last_message_at",
    "written",
  ]);
  assert.equal((await json("summary.json")).turn_count, 2);
});
