/** Calls that a client makes again with its own id of them, and calls that ask again how something stands. */
import assert from "node:assert/strict";
import { connect } from "../../src/client/client.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { type Scene, sharedHouse } from "../e2e/shared-house.ts";
import { type Connected, connectMcp } from "./mcp-client.ts";

const test = sharedHouse();

const open = (scene: Scene): Promise<Connected> =>
  connectMcp(scene, { era: "modern", door: "http" });

const repeat = async (
  mcp: Connected,
  name: string,
  args: Record<string, unknown>,
  between: () => Promise<unknown> = async () => {},
) => {
  const meta = { "claudecode/toolUseId": `toolu_${crypto.randomUUID()}` };
  const first = await mcp.call(name, args, { meta });
  assert.ok(!first.isError, first.text);
  await between();
  const again = await mcp.call(name, args, { meta });
  assert.ok(!again.isError, again.text);
  return { first: first.data, again: again.data };
};

test("[MCP-15] continueMostRecent repeated stays in the session that it had chosen", async (scene) => {
  const { client, workspace: cwd } = scene;
  await using mcp = await open(scene);
  const asked = { agentName: "demo", prompt: "recall x", cwd };
  const chosen = await mcp.call("invoke_agent", asked);
  const args = { ...asked, continueMostRecent: true };
  const { first, again } = await repeat(mcp, "invoke_agent", args, () =>
    mcp.call("invoke_agent", asked),
  );
  assert.equal(first["sessionId"], chosen.data["sessionId"]);
  assert.equal(again["sessionId"], first["sessionId"]);
  assert.equal(again["promptId"], first["promptId"]);
  assert.equal(again["existingHistory"], first["existingHistory"]);
  const { sessions } = await client.listSessions({ cwd });
  const turns = sessions.map((each) => each.turn_count);
  assert.deepEqual(new Set(turns), new Set([1, 2]));
});

/** A door whose prompts wait for something first. */
const openBefore = (scene: Scene, beforePrompt: () => Promise<unknown>) => {
  let isFirst = true;
  const through = connect({
    url: scene.server.url,
    token: scene.server.token,
    fetch: async (input, init) => {
      const { url, method } = new Request(input, init);
      if (isFirst && method === "POST" && url.endsWith("/prompts")) {
        isFirst = false;
        await beforePrompt();
      }
      // The next server may have another port.
      const target = new URL(url);
      target.host = new URL(scene.server.url).host;
      return fetch(target, init);
    },
  });
  return connectMcp(scene, { era: "modern", door: "http", times: {}, through });
};

const twoSessions = async ({ client, workspace: cwd }: Scene) => {
  const agent = "demo";
  const older = await client.createSession({ agent, cwd });
  const recent = await client.createSession({ agent, cwd });
  return { older, recent };
};

const meta = () => ({
  "claudecode/toolUseId": `toolu_${crypto.randomUUID()}`,
});

test("[MCP-28] a server that dies between the choice and the prompt: repeated, the call goes to the chosen session, once", async (scene) => {
  const { workspace: cwd } = scene;
  const { older, recent } = await twoSessions(scene);
  await using mcp = await openBefore(scene, async () => {
    await scene.server.kill();
    await scene.up();
    // Now another one is the most recent.
    await scene.client.queuePrompt(older.id, { text: "recall other" });
    throw new Error("the server is gone");
  });
  const args = {
    agentName: "demo",
    prompt: "recall x",
    cwd,
    continueMostRecent: true,
  };
  const named = { meta: meta() };
  const first = await mcp.call("invoke_agent", args, named);
  assert.ok(first.isError);
  const again = await mcp.call("invoke_agent", args, named);
  assert.equal(again.data["sessionId"], recent.id, again.text);
  const third = await mcp.call("invoke_agent", args, named);
  assert.equal(third.data["promptId"], again.data["promptId"]);
  assert.equal((await scene.client.showSession(recent.id)).turn_count, 1);
});

test("[MCP-28] two calls with one id at the same time give one prompt, whichever session is the most recent by then", async (scene) => {
  const { client, workspace: cwd } = scene;
  const { older, recent } = await twoSessions(scene);
  const args = {
    agentName: "demo",
    prompt: "recall x",
    cwd,
    continueMostRecent: true,
  };
  const named = { meta: meta() };
  await using other = await openBefore(scene, async () => {});
  let second: Awaited<ReturnType<typeof other.call>> | undefined;
  await using mcp = await openBefore(scene, async () => {
    await client.queuePrompt(older.id, { text: "recall other" });
    second = await other.call("invoke_agent", args, named);
  });
  const first = await mcp.call("invoke_agent", args, named);
  assert.equal(first.data["sessionId"], recent.id, first.text);
  assert.equal(second?.data["promptId"], first.data["promptId"]);
  assert.equal((await client.showSession(recent.id)).turn_count, 1);
  // Nobody has waited for what was asked of it.
  const { turn_count } = await eventually(
    () => client.showSession(older.id),
    ({ state, queued_prompts }) =>
      state === "WAITING_FOR_INPUT" && queued_prompts.length === 0,
  );
  assert.equal(turn_count, 1);
});

test("[MCP-15] a call repeated after its session ended gets its result", async (scene) => {
  await using mcp = await open(scene);
  const asked = { agentName: "demo", prompt: "recall x", cwd: scene.workspace };
  for (const [name, how] of Object.entries({
    continueMostRecent: () => true,
    continueSessionId: (id: unknown) => id,
  })) {
    const { data } = await mcp.call("invoke_agent", asked);
    const { sessionId } = data;
    const args = { ...asked, [name]: how(sessionId) };
    const { first, again } = await repeat(mcp, "invoke_agent", args, () =>
      mcp.call("end_session", { sessionId }),
    );
    assert.deepEqual(again, first);
  }
});

test("[MCP-23] a tool that changes a session does so once for each call id", async (scene) => {
  const { client, workspace: cwd } = scene;
  await using mcp = await open(scene);
  const { data } = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt: "recall x",
    cwd,
  });
  const sessionId = String(data["sessionId"]);
  const fork = await repeat(mcp, "fork_session", { sessionId });
  assert.equal(fork.again["sessionId"], fork.first["sessionId"]);

  const resumed = await repeat(mcp, "resume_session", { sessionId }, () =>
    client.pauseSession(sessionId),
  );
  assert.deepEqual(resumed.again, resumed.first);
  assert.equal((await client.showSession(sessionId)).state, "PAUSED");

  const paused = await repeat(mcp, "pause_session", { sessionId }, () =>
    client.resumeSession(sessionId),
  );
  assert.deepEqual(paused.again, paused.first);
  assert.ok((await client.showSession(sessionId)).is_agent_running);

  const ended = await repeat(mcp, "end_session", { sessionId });
  assert.deepEqual(ended.again, ended.first);
});

test("[MCP-23] a permission is answered and a turn cancelled once for each call id", async (scene) => {
  const { client, workspace: cwd } = scene;
  await using mcp = await open(scene);
  const asked = await mcp.call("invoke_agent", {
    agentName: "demo",
    prompt: "ask may I?",
    cwd,
  });
  const sessionId = String(asked.data["sessionId"]);
  const [permission] = (await client.showSession(sessionId))
    .pending_permissions;
  const args = {
    sessionId,
    permissionId: permission?.id,
    optionId: permission?.options[0]?.kind,
  };
  const { first, again } = await repeat(mcp, "answer_permission", args, () =>
    mcp.call("wait_for_session", { sessionId }),
  );
  assert.deepEqual(again, first);

  using latch = scene.house.latch();
  const work = async () => {
    await client.queuePrompt(sessionId, { text: `run ${latch.wait}` });
    await eventually(
      () => client.showSession(sessionId),
      ({ state, queued_prompts }) =>
        state === "RUNNING" && queued_prompts.length === 0,
    );
  };
  await work();
  await repeat(mcp, "cancel_turn", { sessionId }, async () => {
    await mcp.call("wait_for_session", { sessionId });
    await work();
  });
  const now = await mcp.call("wait_for_session", { sessionId, waitSeconds: 0 });
  assert.equal(now.data["status"], "working", "the next turn goes on");
  latch.open();
});

test("[MCP-23] a task is changed once for each call id", async (scene) => {
  const { client, workspace: cwd } = scene;
  await using mcp = await open(scene);
  const { id: taskId } = await client.createTask({
    title: "twice",
    description: "recall x",
    agent: "demo",
    cwd,
  });
  await client.runTask(taskId);
  const settled = () =>
    eventually(
      () => client.showTask(taskId),
      ({ state }) => state !== "IN_PROGRESS" && state !== "TODO",
    );
  await settled();
  const context = { taskId, context: "more of it" };
  const updated = await repeat(mcp, "task_update", context, settled);
  assert.equal(
    updated.again["contextVersion"],
    updated.first["contextVersion"],
  );
  const mode = { taskId, mode: "fresh" };
  const retried = await repeat(mcp, "task_retry", mode, settled);
  assert.equal(retried.again["attempts"], retried.first["attempts"]);
});

test("[MCP-24] who asks how a turn stands has nobody read the conversation before it", async (scene) => {
  const { server, workspace: cwd } = scene;
  const wholeReads: string[] = [];
  const through = connect({
    url: server.url,
    token: server.token,
    fetch: async (input, init) => {
      const { url } = new Request(input, init);
      const { pathname, searchParams } = new URL(url);
      if (
        pathname.endsWith("/messages") &&
        searchParams.get("after") === "msg_0" &&
        searchParams.get("limit") !== "1"
      )
        wholeReads.push(url);
      return fetch(input, init);
    },
  });
  await using mcp = await connectMcp(scene, {
    era: "modern",
    door: "http",
    times: {},
    through,
  });
  const asked = { agentName: "demo", cwd };
  const { data } = await mcp.call("invoke_agent", {
    ...asked,
    prompt: "recall x",
  });
  using latch = scene.house.latch();
  const continued = await mcp.call("invoke_agent", {
    ...asked,
    prompt: `run ${latch.wait}`,
    continueSessionId: data["sessionId"],
    waitSeconds: 0,
  });
  assert.partialDeepStrictEqual(continued.data, {
    status: "working",
    isSessionContinuation: true,
    existingHistory: 2,
  });
  assert.equal(wholeReads.length, 1, "counted when the prompt was given");
  const { sessionId, promptId } = data;
  const wait = { sessionId: continued.data["sessionId"] };
  for (let times = 0; times < 3; times++) {
    const now = await mcp.call("wait_for_session", { ...wait, waitSeconds: 0 });
    assert.equal(now.data["isSessionContinuation"], true);
    assert.ok(!("existingHistory" in now.data));
  }
  assert.equal(wholeReads.length, 1);
  latch.open();
  const done = await mcp.call("wait_for_session", wait);
  assert.equal(done.data["existingHistory"], 2);
  const old = await mcp.call("wait_for_session", { sessionId, promptId });
  assert.equal(old.data["isSessionContinuation"], false);
  assert.equal(old.data["existingHistory"], 0);
});

test("[MCP-25] what ends a call after its answer does not cancel the turn", async (scene) => {
  const { client, workspace: cwd } = scene;
  using latch = scene.house.latch();
  const mcp = await connectMcp(scene, {
    era: "modern",
    door: "http",
    times: {},
    onCancel: "cancel",
  });
  const giveUp = new AbortController();
  const { data } = await mcp.call(
    "invoke_agent",
    { agentName: "demo", prompt: `run ${latch.wait}`, cwd, waitSeconds: 0.1 },
    { signal: giveUp.signal },
  );
  assert.equal(data["status"], "working");
  giveUp.abort("user");
  await mcp.client.close();
  latch.open();
  const sessionId = String(data["sessionId"]);
  await eventually(
    () => client.showSession(sessionId),
    ({ state }) => state === "WAITING_FOR_INPUT",
  );
  const { events } = await client.listEvents(sessionId, { limit: 10_000 });
  assert.ok(
    !events.some(({ type }) => type === "session.turn.cancel_requested"),
  );
});
