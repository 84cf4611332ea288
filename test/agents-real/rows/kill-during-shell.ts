import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { endDaemon } from "../../../src/executors/fixtures/end-daemon.ts";
import { kill } from "../../../src/kit/processes/marked-processes.ts";
import { seenUntil } from "../../e2e/house.ts";
import { provenGrade, type Scene } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";
import { eventually } from "../../../src/kit/fixtures/patience.ts";

/**
 * Agents run commands in process sessions of their own, so that the death of everything around does not reach them. The
 * command must be gone when the session is back, or it would write into what goes on without it.
 */
export const killDuringShell = async ({
  scene,
  main,
}: Cast): Promise<string> => {
  const at = (name: string) => join(scene.house.workspace, name);
  const id = await main();
  const { last_seq } = await scene.client.showSession(id);
  await scene.client.queuePrompt(id, {
    text: `shell touch ${at("started")}; sleep 600; touch ${at("late")}`,
  });
  await allowUntil(scene, id, () => existsSync(at("started")));
  await killOurs(scene, id);

  await scene.up();
  await seenUntil(
    scene.client,
    id,
    ({ type }) => type === "session.turn.interrupted",
    last_seq,
  );
  await scene.client.resumeSession(id);
  assert.ok(!(await isRunning(`touch ${at("late")}`)), "the command is gone");
  const grade = await provenGrade(scene, id);
  assert.ok(!existsSync(at("late")));
  await scene.dropUnresolved(id);
  return grade;
};

/** By its words: the process that shows them may live in a world with numbers of its own. */
const isRunning = async (words: string): Promise<boolean> => {
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "args="]);
  return stdout.includes(words);
};

/** Says yes to whatever is asked until the world is as it should be. */
const allowUntil = (
  scene: Scene,
  id: string,
  done: () => boolean,
): Promise<unknown> =>
  eventually(async () => {
    const { pending_permissions } = await scene.client.showSession(id);
    for (const { id: request, options } of pending_permissions) {
      const allow = options.find(({ kind }) => kind === "allow_once");
      if (allow) await scene.client.answerPermission(id, request, allow.id);
    }
  }, done);

/** All that Reprise started itself: its server, agentctl, and the agent with its process group. */
const killOurs = async (scene: Scene, id: string): Promise<void> => {
  const { agent_execution_id } = await scene.client.showSession(id);
  const execution = join(
    scene.house.home,
    "agentctl/executions",
    agent_execution_id ?? "",
  );
  const agent = Number(await readFile(join(execution, "pid"), "utf8"));
  await scene.killServer();
  await endDaemon(scene.house.home);
  kill(-agent, "SIGKILL");
  kill(agent, "SIGKILL");
};
