import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { seenUntil } from "../e2e/house.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { type Connected, connectMcp, doors, eras } from "./mcp-client.ts";

const test = sharedHouse();

const promptsOf = async (scene: Scene): Promise<number> => {
  const { sessions } = await scene.client.listSessions({
    cwd: scene.workspace,
  });
  let count = 0;
  for (const { id } of sessions)
    count += (await scene.client.listEvents(id)).events.filter(
      ({ type }) => type === "session.prompt.queued",
    ).length;
  return count;
};

const Handle = z.object({
  result: z.object({
    resultType: z.literal("task"),
    taskId: z.string(),
    status: z.literal("working"),
    ttlMs: z.null(),
    pollIntervalMs: z.number(),
    createdAt: z.iso.datetime(),
    lastUpdatedAt: z.iso.datetime(),
  }),
});

/** The SDK's client does not take handles: what came over the wire does. */
const invokeForHandle = async (
  mcp: Connected,
  args: Record<string, unknown>,
): Promise<z.infer<typeof Handle>["result"]> => {
  await assert.rejects(
    mcp.call("invoke_agent", { agentName: "demo", ...args }),
  );
  return Handle.parse(mcp.received.at(-1)).result;
};

const TaskNow = z.looseObject({
  status: z.string(),
  statusMessage: z.string(),
  result: z
    .object({ structuredContent: z.record(z.string(), z.unknown()) })
    .optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
});

const getTask = ({ client }: Connected, taskId: string) =>
  client.request({ method: "tasks/get", params: { taskId } }, TaskNow);

for (const door of doors)
  test(`[MCP-12] [MCP-13] a task handle is polled, answered and cancelled, over ${door}`, async (scene) => {
    using latch = scene.house.latch();
    const options = { era: "modern", door, takesTasks: true } as const;
    await using mcp = await connectMcp(scene, options);
    const asked = { cwd: scene.workspace, waitSeconds: 0 };
    const handle = await invokeForHandle(mcp, {
      ...asked,
      prompt: `run ${latch.wait}\nrecall x`,
    });
    const working = await getTask(mcp, handle.taskId);
    assert.equal(working.status, "working");
    latch.open();
    // Another client, as after a restart of the first.
    await using other = await connectMcp(scene, options);
    const done = await eventually(
      () => getTask(other, handle.taskId),
      ({ status }) => status !== "working",
    );
    assert.equal(done.status, "completed");
    assert.partialDeepStrictEqual(done.result?.structuredContent, {
      status: "completed",
      text: "The command ended with exit code 0.\nx is unknown",
    });

    const [sessionId] = handle.taskId.split(".");
    using second = scene.house.latch();
    const stopped = await invokeForHandle(mcp, {
      ...asked,
      prompt: `run ${second.wait}`,
      continueSessionId: sessionId,
    });
    for (let times = 0; times < 2; times++)
      await mcp.client.request(
        { method: "tasks/cancel", params: { taskId: stopped.taskId } },
        z.looseObject({}),
      );
    const cancelled = await eventually(
      () => getTask(mcp, stopped.taskId),
      ({ status }) => status !== "working",
    );
    assert.equal(cancelled.status, "cancelled");
    for (const taskId of ["", "x", handle.taskId.replace("prm_0", "prm_1")])
      await assert.rejects(getTask(mcp, taskId), /no task|taskId|header/i);
  });

test("[MCP-12] no handle for those who did not declare tasks, and none before 2026-07-28", async (scene) => {
  for (const [era, takesTasks] of [
    ["modern", false],
    ["legacy", true],
  ] as const) {
    await using mcp = await connectMcp(scene, {
      era,
      takesTasks,
      door: "http",
      times: { firstMs: 1 },
    });
    const { data } = await mcp.call("invoke_agent", {
      agentName: "demo",
      prompt: "sleep 50",
      cwd: scene.workspace,
    });
    assert.equal(data["status"], "completed");
  }
});

for (const era of eras)
  test(`[MCP-11] progress tells what the agent said last, ${era}`, async (scene) => {
    using latch = scene.house.latch();
    await using mcp = await connectMcp(scene, {
      era,
      door: "http",
      name: "claude-code",
      times: { progressMs: 20 },
    });
    const { data } = await mcp.call(
      "invoke_agent",
      {
        agentName: "demo",
        prompt: `recall melon\nrun ${latch.wait}`,
        cwd: scene.workspace,
      },
      {
        onprogress: (message) => {
          if (message.includes("melon is unknown")) latch.open();
        },
      },
    );
    assert.equal(data["status"], "completed");
  });

for (const era of eras)
  test(`[MCP-10] after waitSeconds the agent goes on, and the result is fetched, ${era}`, async (scene) => {
    using latch = scene.house.latch();
    await using mcp = await connectMcp(scene, { era, door: "stdio" });
    const working = await mcp.call("invoke_agent", {
      agentName: "demo",
      prompt: `run ${latch.wait}\nrecall x`,
      waitSeconds: 0.2,
    });
    assert.partialDeepStrictEqual(working.data, {
      status: "working",
      success: false,
    });
    const { sessionId, promptId } = working.data;
    const still = await mcp.call("wait_for_session", {
      sessionId,
      waitSeconds: 0,
    });
    assert.equal(still.data["status"], "working");
    latch.open();
    const done = await mcp.call("wait_for_session", { sessionId, promptId });
    assert.partialDeepStrictEqual(done.data, {
      status: "completed",
      text: "The command ended with exit code 0.\nx is unknown",
    });
  });

test("[MCP-14] a time-out detaches; a cancellation by the user cancels; --on-cancel cancel always does", async (scene) => {
  const outcome = async (
    reason: string,
    options: { name?: string; args?: string[] } = {},
  ): Promise<string> => {
    using latch = scene.house.latch();
    await using mcp = await connectMcp(scene, {
      era: "legacy",
      door: "stdio",
      ...options,
    });
    const giveUp = new AbortController();
    const callId = crypto.randomUUID();
    const args = { agentName: "demo", prompt: `run ${latch.wait}` };
    const waiting = assert.rejects(
      mcp.call("invoke_agent", args, {
        signal: giveUp.signal,
        meta: { callId },
      }),
    );
    const { sessions } = await eventually(
      () => scene.client.listSessions({ cwd: scene.workspace, limit: 1 }),
      ({ sessions: [first] }) => first?.state === "RUNNING",
    );
    const id = sessions[0]?.id ?? "";
    await seenUntil(
      scene.client,
      id,
      (event) =>
        event.type === "session.message.added" &&
        event.data.message.role === "tool",
    );
    giveUp.abort(reason);
    await waiting;
    // A call behind it: what the cancellation led to was begun before.
    await mcp.call("get_session", { sessionId: id });
    await mcp.client.close();
    const { events } = await scene.client.listEvents(id, { limit: 10_000 });
    const isCancelled = events.some(
      ({ type }) => type === "session.turn.cancel_requested",
    );
    latch.open();
    await scene.client.endSession(id);
    return isCancelled ? "cancelled" : "detached";
  };
  assert.equal(await outcome("Request timed out"), "detached");
  assert.equal(await outcome("user-cancel"), "cancelled");
  assert.equal(
    await outcome("user cancelled", { name: "codex-mcp-client" }),
    "detached",
  );
  assert.equal(
    await outcome("Request timed out", { args: ["--on-cancel", "cancel"] }),
    "cancelled",
  );
});

for (const door of doors)
  test(`[MCP-15] one call id is one prompt, over ${door}`, async (scene) => {
    await using mcp = await connectMcp(scene, { era: "modern", door });
    const meta = { "claudecode/toolUseId": `toolu_${door}` };
    const args = {
      agentName: "demo",
      prompt: "only once",
      cwd: scene.workspace,
    };
    const answers = await Promise.all([
      mcp.call("invoke_agent", args, { meta }),
      mcp.call("invoke_agent", args, { meta }),
    ]);
    answers.push(await mcp.call("invoke_agent", args, { meta }));
    const ids = answers.map(({ data }) => data["promptId"]);
    assert.equal(new Set(ids).size, 1);
    assert.equal(await promptsOf(scene), 1);
    const other = await mcp.call(
      "invoke_agent",
      { ...args, prompt: "another" },
      { meta },
    );
    assert.match(other.text, /^Error: .*other arguments/s);
    assert.equal(await promptsOf(scene), 1);
  });

test("[MCP-3] [MCP-15] kill -9 of the MCP process and of the server in the middle of a call: the result is fetched, and the prompt ran once", async (scene) => {
  using latch = scene.house.latch();
  const ledger = join(scene.workspace, "ledger");
  const options = {
    era: "modern",
    door: "stdio",
    env: { DEMO_LEDGER: ledger },
  } as const;
  const meta = { "claudecode/toolUseId": "toolu_killed" };
  const args = {
    agentName: "demo",
    prompt: `run ${latch.wait}\nrecall x`,
  };
  const first = await connectMcp(scene, options);
  const lost = assert.rejects(first.call("invoke_agent", args, { meta }));
  const { sessions } = await eventually(
    () => scene.client.listSessions({ cwd: scene.workspace }),
    ({ sessions: [each] }) => each?.state === "RUNNING",
  );
  const sessionId = sessions[0]?.id ?? "";
  process.kill(first.pid ?? 0, "SIGKILL");
  await lost;

  await using second = await connectMcp(scene, options);
  const again = second.call("invoke_agent", args, { meta });
  const waited = second.call("wait_for_session", { sessionId });
  // Nobody starts the next server but those who need one.
  await scene.server.kill();
  latch.open();
  assert.partialDeepStrictEqual((await again).data, {
    sessionId,
    status: "completed",
    text: "The command ended with exit code 0.\nx is unknown",
  });
  assert.equal((await waited).data["status"], "completed");
  const { text } = await second.call("get_conversation", { sessionId });
  assert.equal(text.match(/\] user:/g)?.length, 1, text);
  await second.client.close();
  assert.equal((await scene.house.cli(["down"])).code, 0);
  const lines = (await readFile(ledger, "utf8")).trim().split("\n");
  assert.equal(lines.length, 1);
});

test("[MCP-3] reprise mcp starts a server where none runs", async (scene) => {
  await scene.server.stop();
  await using mcp = await connectMcp(scene, { era: "legacy", door: "stdio" });
  const { text } = await mcp.call("list_sessions");
  assert.ok(text.length > 0);
  await mcp.client.close();
  const { code } = await scene.house.cli(["down"]);
  assert.equal(code, 0);
});

test("[MCP-3] a server elsewhere that is gone is told, and the process stays", async (scene) => {
  await using mcp = await connectMcp(scene, {
    era: "legacy",
    door: "stdio",
    args: ["--url", "http://127.0.0.1:1"],
    env: { REPRISE_TOKEN: "t" },
  });
  const { text, isError } = await mcp.call("end_session", {
    sessionId: "ses_00000000000000000000000000",
  });
  assert.ok(isError);
  assert.match(text, /^Error: No server answers .*call again/s);
  assert.equal((await mcp.client.listTools()).tools.length, 15);
});
