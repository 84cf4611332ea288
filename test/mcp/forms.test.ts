import assert from "node:assert/strict";
import * as z from "zod";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { connectMcp, eras, type McpOptions } from "./mcp-client.ts";

const test = sharedHouse();

/** A legacy client over HTTP has not said that it shows forms, as far as one request can tell. */
const places = [
  { era: "legacy", door: "stdio" },
  { era: "modern", door: "stdio" },
  { era: "modern", door: "http" },
] as const;

for (const { era, door } of places) {
  test(`[MCP-16] [MCP-17] a form answers a permission, ${era} over ${door}`, async (scene) => {
    const shown: string[] = [];
    await using mcp = await connectMcp(scene, {
      era,
      door,
      onForm: (message) => {
        shown.push(message);
        return { action: "accept", content: { option: "allow_once" } };
      },
    });
    const { data, text } = await mcp.call("invoke_agent", {
      agentName: "demo",
      prompt: "ask first?\nask second?",
      cwd: scene.workspace,
    });
    assert.equal(data["status"], "completed", text);
    assert.match(text, /allow_once/);
    assert.deepEqual(shown, [
      "demo asks for permission: first?",
      "demo asks for permission: second?",
    ]);
    const { sessions } = await scene.client.listSessions({
      cwd: scene.workspace,
    });
    const { events } = await scene.client.listEvents(sessions[0]?.id ?? "");
    const queued = events.filter(
      ({ type }) => type === "session.prompt.queued",
    );
    assert.equal(queued.length, 1, "the prompt is sent once");
  });

  for (const action of ["decline", "cancel"] as const)
    test(`[MCP-16] [MCP-41] ${action} leaves the permission pending, ${era} over ${door}`, async (scene) => {
      let forms = 0;
      await using mcp = await connectMcp(scene, {
        era,
        door,
        onForm: () => {
          forms += 1;
          return { action };
        },
      });
      const { data, text } = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "ask may I?",
        cwd: scene.workspace,
      });
      assert.equal(data["status"], "needs_permission", text);
      assert.match(
        text,
        /Next: answer_permission \{.*"optionId":"…"\} with one of these as optionId: allow_once \(Allow: allows it this time\), .*reject_once \(Reject: refuses it this time\)/,
      );
      const again = await mcp.call("wait_for_session", {
        sessionId: data["sessionId"],
      });
      assert.equal(again.data["status"], "needs_permission");
      assert.equal(forms, 1);
      const session = await scene.client.showSession(String(data["sessionId"]));
      assert.equal(session.pending_permissions[0]?.state, "pending");
    });
}

test("[MCP-16] without forms the answer says which call answers", async (scene) => {
  for (const era of eras) {
    await using mcp = await connectMcp(scene, { era, door: "http" });
    const { data } = await mcp.call("invoke_agent", {
      agentName: "demo",
      prompt: "ask may I?",
      cwd: scene.workspace,
    });
    assert.equal(data["status"], "needs_permission");
  }
});

test("[MCP-17] a state that is not ours is refused", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "modern", door: "http" });
  const params = {
    name: "invoke_agent",
    arguments: { agentName: "demo", prompt: "x", cwd: scene.workspace },
    requestState: "v1.eyJwIjp7fX0.AAAA",
    inputResponses: {
      permission: { action: "accept", content: { option: "allow_once" } },
    },
  };
  await assert.rejects(
    mcp.client.request({ method: "tools/call", params }),
    /requestState/,
  );
  const { sessions } = await scene.client.listSessions({
    cwd: scene.workspace,
  });
  assert.deepEqual(sessions, []);
});

test("[MCP-18] [MCP-26] [MCP-38] a task handle asks by a form, and a declined one ends it", async (scene) => {
  await using mcp = await connectMcp(scene, {
    era: "modern",
    door: "stdio",
    takesTasks: true,
    onForm: () => ({ action: "cancel" }),
  });
  const session = await scene.client.createSession({ cwd: scene.workspace });
  const prompt = await scene.client.queuePrompt(session.id, {
    text: "ask one?\nask two?",
  });
  const taskId = `${session.id}.${prompt.id}`;
  const Now = z.looseObject({
    status: z.string(),
    inputRequests: z.record(z.string(), z.unknown()).default({}),
    result: z
      .object({ structuredContent: z.record(z.string(), z.unknown()) })
      .optional(),
  });
  const now = () =>
    mcp.client.request({ method: "tasks/get", params: { taskId } }, Now);
  const update = (response: object, key: string) =>
    mcp.client.request(
      {
        method: "tasks/update",
        params: { taskId, inputResponses: { [key]: response } },
      },
      z.looseObject({}),
    );
  const first = await eventually(
    now,
    ({ status }) => status === "input_required",
  );
  const [one = ""] = Object.keys(first.inputRequests);
  assert.match(one, /^per_/);
  await update({ action: "accept", content: { option: "allow_once" } }, one);
  const second = await eventually(
    now,
    ({ inputRequests }) =>
      Object.keys(inputRequests).length === 1 && !(one in inputRequests),
  );
  const [two = ""] = Object.keys(second.inputRequests);
  const accepted = { action: "accept", content: { option: "allow_once" } };
  for (const key of ["x", "../permissions", "constructor"])
    await update(accepted, key);
  await assert.rejects(update(accepted, "__proto__"), { code: -32602 });
  await update({ action: "decline" }, two);
  const { status, result } = await now();
  assert.equal(status, "completed");
  assert.equal(result?.structuredContent["status"], "needs_permission");
});

test("[MCP-17] the answer to a form arrives after kill -9 of the MCP process that showed it", async (scene) => {
  const options: McpOptions = {
    era: "modern",
    door: "stdio",
    onForm: () => ({ action: "cancel" }),
  };
  const params = {
    name: "invoke_agent",
    arguments: { agentName: "demo", prompt: "ask may I?" },
  };
  const first = await connectMcp(scene, options);
  const { requestState } = z
    .looseObject({ requestState: z.string() })
    .parse(await first.client.callTool(params, { allowInputRequired: true }));
  process.kill(first.pid ?? 0, "SIGKILL");

  await using second = await connectMcp(scene, options);
  const answered = await second.client.request({
    method: "tools/call",
    params: {
      ...params,
      requestState,
      inputResponses: {
        permission: { action: "accept", content: { option: "allow_once" } },
      },
    },
  });
  assert.match(JSON.stringify(answered), /"status":"completed"/);
  const { sessions } = await scene.client.listSessions({
    cwd: scene.workspace,
  });
  assert.equal(sessions.length, 1, "no other session was started");
});
