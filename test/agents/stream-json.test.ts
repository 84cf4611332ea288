/** The adapter for CLIs over real pipes, with scripted CLIs below it. */
import { methods } from "@agentclientprotocol/sdk/unstable";
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { type Driven, drive } from "./drive.ts";

const ADAPTER = programOfProduct(
  "stream-json",
  new URL("../../src/programs/stream-json/main.ts", import.meta.url).pathname,
);

const scratch = (t: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), "stream-json-"));
  t.after(() =>
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 }),
  );
  return directory;
};

const adapter = (
  t: TestContext,
  dialect: "claude" | "codex",
  home: string,
  choose?: string,
): Driven => {
  const cli = new URL(`./cli/${dialect}.ts`, import.meta.url).pathname;
  return drive(
    t,
    [
      process.execPath,
      ADAPTER,
      "--dialect",
      dialect,
      "--",
      process.execPath,
      cli,
    ],
    { HOME: home, CLAUDE_CONFIG_DIR: home, CODEX_HOME: home },
    ({ options }) => {
      const chosen = options.find(({ kind }) => kind === choose);
      return chosen
        ? { outcome: "selected", optionId: chosen.optionId }
        : { outcome: "cancelled" };
    },
  );
};

for (const dialect of ["claude", "codex"] as const) {
  test(`${dialect}: turns of one session know each other, each in a run of its own`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    const session = await it.open(home);
    assert.equal(await it.prompt(session, "one"), "end_turn");
    assert.equal(await it.prompt(session, "two"), "end_turn");
    assert.equal(it.said(), "I know oneI know one, two");
    assert.equal(await it.end(), 0);
  });

  test(`${dialect}: a cancelled turn ends as cancelled, and the session goes on`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    const session = await it.open(home);
    const cancel = (): Promise<void> =>
      it.agent.notify(methods.agent.session.cancel, { sessionId: session });
    const early = it.prompt(session, "hang");
    await cancel();
    assert.equal(await early, "cancelled");
    const late = it.prompt(session, "hang");
    await it.until(() => it.said().includes("I hang"));
    await cancel();
    assert.equal(await late, "cancelled");
    assert.equal(await it.prompt(session, "then"), "end_turn");
    assert.match(it.said(), /then$/);
  });

  test(`${dialect}: a CLI that dies is the turn's error, with its last words`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    const session = await it.open(home);
    await assert.rejects(it.prompt(session, "crash"), (error: Error) => {
      assert.match(JSON.stringify(error), /out of cheese/);
      assert.match(error.message, /ended with code 3/);
      return true;
    });
    assert.equal(await it.prompt(session, "after"), "end_turn");
  });

  test(`[P6] ${dialect}: a session that the CLI does not have is unknown before any prompt`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    await it.initialize();
    for (const sessionId of [
      "00000000-0000-4000-8000-000000000000",
      "nonsense",
    ])
      await assert.rejects(
        it.agent.request(methods.agent.session.resume, {
          sessionId,
          cwd: home,
          mcpServers: [],
        }),
        { code: -32002 },
      );
  });

  test(`${dialect}: a fork knows what its origin knew and goes its own way`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    const origin = await it.open(home);
    await it.prompt(origin, "one");
    const { sessionId } = await it.agent.request(methods.agent.session.fork, {
      sessionId: origin,
      cwd: home,
      mcpServers: [],
    });
    await it.prompt(sessionId, "two");
    await it.prompt(origin, "three");
    assert.match(it.said(), /I know one, two.*I know one, three/);
  });

  test(`${dialect}: ending the adapter ends the CLI below it`, async (t) => {
    const home = scratch(t);
    const it = adapter(t, dialect, home);
    const session = await it.open(home);
    void it.prompt(session, "hang").catch(() => undefined);
    await it.until(() => it.said().includes("I hang"));
    assert.equal(await it.end(), 0);
    const mark = `CLAUDE_CONFIG_DIR=${home}`;
    assert.deepEqual(await markedProcesses(mark), []);
  });
}

test("claude: a permission is asked upwards, and the answer goes down", async (t) => {
  const home = scratch(t);
  for (const [choice, status] of [
    ["allow_once", "completed"],
    ["reject_once", "failed"],
  ] as const) {
    const it = adapter(t, "claude", home, choice);
    const session = await it.open(home);
    assert.equal(await it.prompt(session, "ask"), "end_turn");
    assert.deepEqual(
      it.updates.map((each) =>
        "status" in each ? [each.sessionUpdate, each.status] : each,
      ),
      [
        ["tool_call", "in_progress"],
        ["tool_call_update", status],
      ],
    );
  }
  const it = adapter(t, "claude", home);
  const session = await it.open(home);
  assert.equal(await it.prompt(session, "ask"), "cancelled");
});

test("[P6] codex: a CLI that begins another thread has not resumed, and says nothing in its name", async (t) => {
  const home = scratch(t);
  const it = adapter(t, "codex", home);
  const session = await it.open(home);
  await it.prompt(session, "one");
  await assert.rejects(it.prompt(session, "lose the thread"), { code: -32002 });
  assert.doesNotMatch(it.said(), /lose/);
});

test("what is no command line is refused", async (t) => {
  for (const words of [[], ["--dialect", "klingon", "--", "x"], ["x"]]) {
    const it = drive(t, [process.execPath, ADAPTER, ...words]);
    const [code] = await once(it.child, "exit");
    assert.equal(code, 2);
  }
});
