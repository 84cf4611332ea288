/** Calls whose other end goes away, or comes several times at once: the prompt runs once, and what came of it is told. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { seenUntil } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { connectMcp, doors } from "./mcp-client.ts";
import { postMcp, RawLines } from "./raw-door.ts";

const test = sharedHouse();

/** A session whose agent writes down each prompt that it begins, and a call that has it wait for the test. */
const held = async ({ house, client, workspace: cwd }: Scene) => {
  const ledger = join(cwd, "ledger");
  const { id } = await client.createSession({
    agent: "demo",
    cwd,
    env: { DEMO_LEDGER: ledger },
  });
  const latch = house.latch();
  return {
    id,
    latch,
    args: {
      agentName: "demo",
      continueSessionId: id,
      prompt: `run ${latch.wait}\nrecall x`,
    },
    hasBegun: () =>
      seenUntil(client, id, ({ type }) => type === "session.turn.started"),
    isOver: () =>
      eventually(
        () => client.showSession(id),
        ({ turn_count }) => turn_count === 1,
      ),
    taken: async (): Promise<number> =>
      (await readFile(ledger, "utf8")).trim().split("\n").length,
  };
};

const frameOf = (args: object): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "invoke_agent", arguments: args },
  });

for (const door of doors)
  test(`[MCP-42] agentctl is killed while a call waits: the result comes, and the prompt ran once, over ${door}`, async (scene) => {
    const { args, latch, hasBegun, taken } = await held(scene);
    await using mcp = await connectMcp(scene, { era: "modern", door });
    const call = mcp.call("invoke_agent", args);
    await hasBegun();
    await endDaemon(scene.house.home);
    latch.open();
    const { data, text } = await call;
    assert.equal(data["status"], "completed", text);
    assert.match(text, /x is unknown/);
    assert.equal(await taken(), 1);
  });

for (const end of ["stdin", "SIGTERM", "SIGINT"] as const)
  test(`[MCP-14] [MCP-42] the bridge ends in a call by ${end}: it ends well, and the turn goes on`, async (scene) => {
    const { args, latch, hasBegun, isOver, taken } = await held(scene);
    await using lines = RawLines.start(scene);
    await lines.initialize();
    lines.write(`${frameOf(args)}\n`);
    await hasBegun();
    if (end === "stdin") lines.process.stdin?.end();
    else lines.process.kill(end);
    assert.equal(await lines.ended(), 0);
    latch.open();
    await isOver();
    assert.equal(await taken(), 1);
  });

test("[MCP-14] [MCP-42] a client over HTTP leaves in the middle of the answer: the turn goes on, and others are served", async (scene) => {
  const { args, latch, hasBegun, isOver, taken } = await held(scene);
  const response = await postMcp(scene.server, frameOf(args));
  await hasBegun();
  await response.body?.cancel();
  latch.open();
  await isOver();
  assert.equal(await taken(), 1);
  assert.equal((await scene.client.health()).status, "ok");
});

test("[MCP-15] [MCP-42] the same call from two clients at once is one session and one prompt", async (scene) => {
  const { client, workspace: cwd } = scene;
  const meta = { callId: `call_${crypto.randomUUID()}` };
  const asked = { agentName: "demo", prompt: "recall x", cwd };
  const answers = await Promise.all(
    doors.map(async (door) => {
      await using mcp = await connectMcp(scene, {
        era: "modern",
        door,
        name: "the-same",
      });
      return await mcp.call("invoke_agent", asked, { meta });
    }),
  );
  const [one, two] = answers.map(({ data }) => data["promptId"]);
  assert.equal(one, two, answers[0]?.text);
  const { sessions } = await client.listSessions({ cwd });
  assert.deepEqual(
    sessions.map(({ turn_count }) => turn_count),
    [1],
  );
});

for (const door of doors)
  test(`[MCP-42] fifty calls at once are answered, each with its own, over ${door}`, async (scene) => {
    const { client, workspace: cwd } = scene;
    const { id } = await client.createSession({ agent: "demo", cwd });
    await using mcp = await connectMcp(scene, { era: "legacy", door });
    const asked = Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0 ? id : `none ${i}`,
    );
    const answers = await Promise.all(
      asked.map((sessionId) => mcp.call("get_session", { sessionId })),
    );
    for (const [i, { data, text }] of answers.entries())
      if (i % 2 === 0) assert.equal(data["sessionId"], id);
      else assert.match(text, new RegExp(`no session "none ${i}"`));
  });
