/** Agents that call agents: who called is recorded, and how deep it goes is limited. */
import assert from "node:assert/strict";
import { sharedHouse } from "../e2e/shared-house.ts";
import { connectMcp, doors, eras } from "./mcp-client.ts";

const test = sharedHouse();

for (const era of eras)
  for (const door of doors)
    test(`[MCP-39] [MCP-40] who called is recorded, and five sessions that called each other are the most, ${era} over ${door}`, async (scene) => {
      const { client, workspace: cwd } = scene;
      const callFrom = async (id: string) => {
        await using mcp = await connectMcp(scene, {
          era,
          door,
          env: { REPRISE_SESSION_ID: id },
          headers: { "x-reprise-session-id": id },
        });
        const asked = { agentName: "demo", prompt: "recall x", cwd };
        return await mcp.call("invoke_agent", asked);
      };
      let { id } = await client.createSession({ agent: "demo", cwd });
      for (let depth = 1; depth < 5; depth += 1) {
        const { data, text } = await callFrom(id);
        const called = await client.showSession(String(data["sessionId"]));
        assert.equal(called.called_by, id, text);
        id = called.id;
      }
      const sixth = await callFrom(id);
      assert.match(sixth.text, /^Error: .*levels deep/);
      for (const unknown of ["ses_00000000000000000000000000", "../x", ""]) {
        const { data } = await callFrom(unknown);
        const called = await client.showSession(String(data["sessionId"]));
        assert.equal(called.called_by, null);
      }
    });

test("[MCP-39] an agent knows its session, and a listed session tells who called it", async (scene) => {
  const { client, workspace: cwd } = scene;
  const { id } = await client.createSession({ agent: "demo", cwd });
  await using mcp = await connectMcp(scene, {
    era: "legacy",
    door: "stdio",
    env: { REPRISE_SESSION_ID: id },
  });
  const { data } = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt: 'run echo "I am $REPRISE_SESSION_ID"',
    permissions: "allow-all",
  });
  const sessionId = String(data["sessionId"]);
  const { messages } = await client.listMessages(sessionId);
  assert.match(JSON.stringify(messages), new RegExp(`I am ${sessionId}`));
  const shown = await mcp.call("get_session", { sessionId });
  assert.equal(shown.data["calledBySessionId"], id);
  const { out } = await scene.house.cli(["session", "show", sessionId]);
  assert.match(out, new RegExp(`called by +${id}`));
});
