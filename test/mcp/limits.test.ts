import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { connectMcp } from "./mcp-client.ts";

const test = sharedHouse();

test("[MCP-19] limits of a continuation hold for that invocation, and the log says so", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "modern", door: "stdio" });
  const first = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt: "ask-write one.txt 1",
    permissions: "allow-all",
  });
  assert.equal(first.data["status"], "completed", first.text);
  const { sessionId: continueSessionId } = first.data;
  const say = (prompt: string, limits: Record<string, unknown> = {}) =>
    mcp.call("invoke_agent", {
      agentName: "demo",
      prompt,
      continueSessionId,
      ...limits,
    });
  const denied = await say("ask-write two.txt 2", {
    disallowedTools: ["edit"],
  });
  assert.equal(denied.data["status"], "completed", denied.text);
  const allowed = await say("ask-write three.txt 3");
  assert.equal(allowed.data["status"], "completed", allowed.text);
  const asked = await say("ask-write four.txt 4", { permissions: "ask" });
  assert.equal(asked.data["status"], "needs_permission", asked.text);
  const written = ["one", "two", "three", "four"].map((name) =>
    existsSync(join(scene.workspace, `${name}.txt`)),
  );
  assert.deepEqual(written, [true, false, true, false]);
  const log = await readFile(
    join(
      scene.house.home,
      "sessions",
      String(continueSessionId),
      "session.log",
    ),
    "utf8",
  );
  assert.match(log, /FINAL USER PROMPT \(with dynamic restrictions\):\n/);
  assert.match(
    log,
    /DYNAMIC TOOL RESTRICTIONS APPLIED:\nAllowed Tools: all\nDisallowed Tools: 1\nRestriction Prompt Injected: (true|false)\n/,
  );
});

test("[MCP-19] maxTurns ends a turn at the tool call after the last one", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "legacy", door: "http" });
  const prompt = "write a.txt 1\nrun sleep 0.1\nwrite c.txt 3\nrun sleep 60";
  const { data, text } = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt,
    cwd: scene.workspace,
    maxTurns: 1,
  });
  assert.partialDeepStrictEqual(
    data,
    { status: "cancelled", success: false, stopReason: "max_tool_calls" },
    text,
  );
});

test("[MCP-19] a model that the agent does not have is refused, and the session goes on without it", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "modern", door: "stdio" });
  const first = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt: "remember colour=red",
  });
  const asked = {
    agentName: "demo",
    prompt: "recall colour",
    continueSessionId: first.data["sessionId"],
  };
  const refused = await mcp.call("invoke_agent", { ...asked, model: "none" });
  assert.ok(refused.isError, refused.text);
  assert.match(refused.text, /^Error: /);
  await eventually(
    () => scene.client.showSession(String(first.data["sessionId"])),
    ({ state }) => state === "WAITING_FOR_INPUT",
  );
  const goesOn = await mcp.call("invoke_agent", asked);
  assert.match(goesOn.text, /colour=red/);
});
