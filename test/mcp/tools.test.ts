/** Every tool, in both eras, over both doors, with the demo agent. */
import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import * as z from "zod";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { connectMcp, doors, eras } from "./mcp-client.ts";

const test = sharedHouse();

const TOOLS = [
  "invoke_agent",
  "wait_for_session",
  "list_agents",
  "list_sessions",
  "get_session",
  "get_conversation",
  "cancel_turn",
  "pause_session",
  "resume_session",
  "end_session",
  "fork_session",
  "list_pending_permissions",
  "answer_permission",
  "task_retry",
  "task_update",
];

for (const era of eras)
  for (const door of doors)
    test(`[MCP-1] every tool works, ${era} over ${door}`, async (scene) => {
      await using mcp = await connectMcp(scene, { era, door });
      const { tools } = await mcp.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name).toSorted(),
        TOOLS.toSorted(),
      );
      const cwd = scene.workspace;

      const agents = await mcp.call("list_agents");
      assert.match(agents.text, /^demo \(/m);

      const first = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "remember colour=blue\nwrite a.txt hello",
        cwd,
      });
      assert.equal(first.isError, false, first.text);
      assert.partialDeepStrictEqual(first.data, {
        success: true,
        status: "completed",
        agentName: "demo",
        turn: 1,
        isSessionContinuation: false,
        existingHistory: 0,
        filesChanged: [{ path: "a.txt", change: "added" }],
      });
      const { sessionId, outputFiles } = z
        .object({
          sessionId: z.string(),
          outputFiles: z.object({
            conversation: z.string(),
            sessionLog: z.string(),
            summary: z.string(),
          }),
        })
        .parse(first.data);
      await access(outputFiles.sessionLog);

      const second = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "recall colour",
        continueSessionId: sessionId,
      });
      assert.match(second.text, /colour=blue/);
      assert.partialDeepStrictEqual(second.data, {
        sessionId,
        turn: 2,
        isSessionContinuation: true,
        text: "colour=blue",
      });
      assert.ok(Number(second.data["existingHistory"]) >= 2);
      const third = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "recall colour",
        continueMostRecent: true,
        cwd,
      });
      assert.equal(third.data["sessionId"], sessionId, third.text);

      const waited = await mcp.call("wait_for_session", { sessionId });
      assert.partialDeepStrictEqual(waited.data, { turn: 3, sessionId });
      const listed = await mcp.call("list_sessions", { cwd });
      assert.match(listed.text, new RegExp(sessionId));
      const shown = await mcp.call("get_session", {
        sessionId: sessionId.slice(0, 25),
      });
      assert.equal(shown.data["sessionId"], sessionId);
      const byToken = await mcp.call("get_session", {
        sessionId: String(shown.data["agentSessionId"]),
      });
      assert.equal(byToken.data["sessionId"], sessionId, byToken.text);
      const said = await mcp.call("get_conversation", { sessionId, limit: 2 });
      assert.match(said.text, /colour=blue/);
      assert.ok("before" in said.data);

      const paused = await mcp.call("pause_session", { sessionId });
      assert.equal(paused.data["state"], "PAUSED");
      const back = await mcp.call("resume_session", { sessionId });
      assert.partialDeepStrictEqual(back.data, {
        resume: { grade: "native" },
      });

      const asked = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "ask may I?",
        continueSessionId: sessionId,
      });
      assert.equal(asked.data["status"], "needs_permission", asked.text);
      const pending = await mcp.call("list_pending_permissions");
      const { permissions } = z
        .object({
          permissions: z.array(
            z.object({ sessionId: z.string(), permissionId: z.string() }),
          ),
        })
        .parse(pending.data);
      assert.equal(permissions[0]?.sessionId, sessionId);
      const answered = await mcp.call("answer_permission", {
        ...permissions[0],
        optionId: "allow_once",
      });
      assert.equal(answered.isError, false, answered.text);
      const after = await mcp.call("wait_for_session", { sessionId });
      assert.match(after.text, /allow_once/);

      const forked = await mcp.call("fork_session", { sessionId, turn: 1 });
      const fork = String(forked.data["sessionId"]);
      assert.notEqual(fork, sessionId);
      const recalled = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "recall colour",
        continueSessionId: fork,
      });
      assert.match(recalled.text, /colour=blue/);

      using latch = scene.house.latch();
      const long = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: `run ${latch.wait}`,
        continueSessionId: fork,
        waitSeconds: 0,
      });
      assert.equal(long.data["status"], "working");
      assert.match(long.text, /Next: wait_for_session \{/);
      const cancelled = await mcp.call("cancel_turn", { sessionId: fork });
      assert.equal(cancelled.isError, false, cancelled.text);
      const stopped = await mcp.call("wait_for_session", { sessionId: fork });
      assert.equal(stopped.data["status"], "cancelled");

      const task = await scene.client.createTask({
        title: "T",
        description: "remember size=7",
        name: `task-${era}-${door}`,
        agent: "demo",
        cwd,
        run: true,
      });
      const { session_id } = await eventually(
        () => scene.client.showTask(task.id),
        (each) => each.state === "REVIEW",
      );
      const run = await mcp.call("wait_for_session", { sessionId: session_id });
      assert.equal(run.isError, false, run.text);
      const updated = await mcp.call("task_update", {
        taskId: task.id,
        context: "And the colour.",
      });
      assert.equal(updated.data["contextVersion"], 2, updated.text);
      await eventually(
        () => scene.client.showTask(task.id),
        (each) => each.state === "REVIEW" && each.attempts === 2,
      );
      const named = await mcp.call("task_retry", {
        taskId: `task-${era}-${door}`,
        mode: "fresh",
      });
      assert.match(named.text, /^Attempt \d at task tsk_/);

      const ended = await mcp.call("end_session", { sessionId });
      assert.equal(ended.data["state"], "COMPLETED");
      const refused = await mcp.call("invoke_agent", {
        agentName: "demo",
        prompt: "more",
        continueSessionId: sessionId,
      });
      assert.equal(refused.isError, true);
      assert.match(refused.text, /^Error: .*has ended.*fork_session/s);

      const read = await mcp.client.readResource({
        uri: `reprise://sessions/${sessionId}/conversation`,
      });
      assert.match(JSON.stringify(read.contents), /colour=blue/);
    });
