/** Sessions on another host, started by MCP clients and by editors. */
import assert from "node:assert/strict";
import * as z from "zod";
import { Editor } from "../acp/editor.ts";
import { connectMcp, doors } from "../mcp/mcp-client.ts";
import { sharedFarHouse } from "./far.ts";

const test = sharedFarHouse();

const Started = z.object({ sessionId: z.string() });

for (const door of doors)
  test(`[MCP-90] [EXE-40] a tool starts a session where it is told to, and goes on there, over ${door}`, async (scene, host) => {
    const { client, workspace } = scene;
    await using mcp = await connectMcp(scene, { era: "modern", door });
    const agent = { agentName: "demo", prompt: "remember a=b" };
    const far = await mcp.call("invoke_agent", { ...agent, host: host.name });
    assert.equal(far.isError, false, far.text);
    const { sessionId } = Started.parse(far.data);
    const { place, cwd } = await client.showSession(sessionId);
    assert.deepEqual(place, { kind: "remote", id: host.name });
    assert.ok(cwd.startsWith(host.home));

    const shown = await mcp.call("get_session", { sessionId });
    assert.partialDeepStrictEqual(shown.data, {
      executor: "remote",
      host: host.name,
    });
    assert.match(shown.text, new RegExp(` on remote ${host.name},`));
    const next = { ...agent, continueSessionId: sessionId };
    const there = { executor: "remote", host: host.name };
    const again = await mcp.call("invoke_agent", { ...next, ...there });
    assert.equal(again.isError, false, again.text);

    const here = await mcp.call("invoke_agent", {
      ...agent,
      executor: "local_standalone",
      cwd: workspace,
    });
    const local = Started.parse(here.data).sessionId;
    assert.equal((await client.showSession(local)).executor, "standalone");
    const plain = await mcp.call("get_session", { sessionId: local });
    assert.ok(!("executor" in plain.data));
  });

test("[MCP-90] what does not fit is refused in words, and nothing is started", async (scene, host) => {
  const { client, workspace } = scene;
  const { id } = await client.createSession({ cwd: workspace });
  const before = await client.listSessions();
  await using mcp = await connectMcp(scene, { era: "modern", door: "stdio" });
  const agent = { agentName: "demo", prompt: "hi" };
  for (const [args, words] of [
    [{ host: "moon" }, /no host moon .*Known are: build-box/],
    [{ image: "debian" }, /image is for the executor docker/],
    [{ executor: "podman" }, /argument executor .*"standalone" or "remote"/],
    [{ executor: "local_docker", host: host.name }, /on this machine/],
    [{ host: host.name, cwd: "srv" }, /absolute path/],
    [{ continueSessionId: id, host: host.name }, /runs on standalone/],
    [{ continueSessionId: id, image: "debian" }, /stays there/],
  ] as const) {
    const { text, isError } = await mcp.call("invoke_agent", {
      ...agent,
      ...args,
    });
    assert.ok(isError);
    assert.match(text, words);
  }
  const after = await client.listSessions();
  const idsIn = ({ sessions }: typeof after) => sessions.map((each) => each.id);
  assert.deepEqual(idsIn(after), idsIn(before));
});

test("[ACP-59] new sessions of an editor run on the host that its agent names, and are listed by their directory", async ({
  house,
  client,
}, host) => {
  const cwd = host.workspace;
  const flags = ["--host", host.name];
  await using editor = await Editor.open(house, { flags });
  const { sessionId } = await editor.agent.request("session/new", {
    cwd,
    mcpServers: [],
  });
  const session = await client.showSession(sessionId);
  assert.deepEqual(
    [session.place, session.cwd],
    [{ kind: "remote", id: host.name }, cwd],
  );
  const { stopReason } = await editor.agent.request("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "remember colour=blue" }],
  });
  assert.equal(stopReason, "end_turn");
  const listed = async (path: string): Promise<string[]> => {
    const { sessions } = await editor.agent.request("session/list", {
      cwd: path,
    });
    return sessions.map((each) => each.sessionId);
  };
  assert.deepEqual(await listed(cwd), [sessionId]);
  assert.deepEqual(await listed(house.workspace), []);
});

test("[ACP-59] [EXE-40] a place that does not fit is told to the editor, and no session is made", async ({
  house,
  client,
  workspace,
}) => {
  const before = await client.listSessions();
  for (const [flags, words] of [
    [["--host", "moon"], /no host moon/],
    [["--executor", "local", "--image", "debian"], /executor docker/],
  ] as const) {
    await using editor = await Editor.open(house, { flags: [...flags] });
    await assert.rejects(
      editor.agent.request("session/new", { cwd: workspace, mcpServers: [] }),
      { code: -32602, message: words },
    );
  }
  const after = await client.listSessions();
  assert.equal(after.sessions.length, before.sessions.length);
  const typed = ["acp", "--agent", "demo", "--executor", "podman"];
  const { code, err } = await house.cli(typed);
  assert.equal(code, 2);
  assert.match(
    err,
    /--executor must be one of standalone, remote, ssh, docker/,
  );
});
