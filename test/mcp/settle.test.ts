/** What the end of a call means for its turn, told by a signal that the test holds: clients end only calls that are not answered. */
import assert from "node:assert/strict";
import {
  Client as McpClient,
  InMemoryTransport,
} from "@modelcontextprotocol/client";
import { isInputRequiredResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { currentResult, turnResult } from "../../src/client/turn.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { callerOf } from "../../src/mcp/base/caller.ts";
import { type Door, openDoor } from "../../src/mcp/base/door.ts";
import { tool, type ToolResult } from "../../src/mcp/base/tool.ts";
import { settle } from "../../src/mcp/work/settle.ts";
import type { Work } from "../../src/mcp/work/work.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";

const test = sharedHouse();

/** A door that cancels by every end of a call. */
const doorOf = ({ client }: Scene): Door =>
  openDoor({
    client,
    version: "1.2.3",
    cwd: null,
    callerEnv: async () => ({}),
    sessionsDirectory: async () => null,
    stateKey: async () => "a secret",
    onCancel: "cancel",
    depth: 0,
    calledBy: null,
    closing: new AbortController().signal,
  });

const workIn = async (
  { client, workspace: cwd }: Scene,
  text: string,
): Promise<Work> => {
  const { id: session_id, agent } = await client.createSession({
    cwd,
    checkpoints: false,
  });
  const { id: prompt_id } = await client.queuePrompt(session_id, { text });
  return { session_id, prompt_id, agent, isContinuation: false };
};

/** Settles inside a real call of a tool, whose signal is the test's own. */
const settledWith = async (
  door: Door,
  work: Work,
  signal: AbortSignal,
): Promise<ToolResult | Error> => {
  const server = new McpServer({ name: "a-test", version: "1" });
  const { promise, resolve } = Promise.withResolvers<ToolResult | Error>();
  tool({
    name: "settle",
    title: "Settle",
    description: "Waits for a prompt.",
    input: z.object({}),
    run: async (_, call) => {
      const ctx = { ...call.ctx, mcpReq: { ...call.ctx.mcpReq, signal } };
      const patience = { waitSeconds: 0, mayHandle: false };
      await settle({ ...call, ctx }, work, patience).then(resolve, resolve);
      return { content: [] };
    },
  }).register(server, (ctx) => ({
    door,
    ctx,
    caller: callerOf(server, "legacy", ctx),
  }));
  const client = new McpClient(
    { name: "a-test", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: "legacy" },
    },
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.callTool({ name: "settle", arguments: {} });
  await client.close();
  return promise;
};

test("[MCP-25] a call that was answered with `working` ends later: nothing is cancelled", async (scene) => {
  using latch = scene.house.latch();
  const door = doorOf(scene);
  const end = new AbortController();
  const work = await workIn(scene, `run ${latch.wait}`);
  const result = await settledWith(door, work, end.signal);
  assert.ok(!(result instanceof Error) && !isInputRequiredResult(result));
  assert.partialDeepStrictEqual(result.structuredContent, {
    status: "working",
  });
  end.abort("user");
  assert.equal(door.background.size, 0);
  latch.open();
  const { session_id, prompt_id } = work;
  const { status } = await turnResult(scene.client, session_id, prompt_id);
  assert.equal(status, "completed");
});

test("[MCP-25] a call that was answered with an error ends later: nothing is cancelled", async (scene) => {
  using latch = scene.house.latch();
  const door = doorOf(scene);
  const end = new AbortController();
  const work = await workIn(scene, `run ${latch.wait}`);
  const { prompt_id } = await workIn(scene, "count 1 0");
  // The prompt of another session.
  const result = await settledWith(door, { ...work, prompt_id }, end.signal);
  assert.ok(result instanceof Error);
  end.abort("user");
  assert.equal(door.background.size, 0);
});

test("[MCP-25] a call whose form is shown ends: its turn is cancelled", async (scene) => {
  const door = doorOf(scene);
  const end = new AbortController();
  const work = await workIn(scene, "ask may I?");
  const { session_id, prompt_id } = work;
  await eventually(
    () => scene.client.showSession(session_id),
    ({ pending_permissions }) => pending_permissions.length === 1,
  );
  const result = await settledWith(door, work, end.signal);
  assert.ok(!(result instanceof Error) && isInputRequiredResult(result));
  end.abort("user");
  assert.equal(door.background.size, 1);
  await eventually(
    () => currentResult(scene.client, session_id, prompt_id),
    ({ status }) => status === "cancelled",
  );
});
