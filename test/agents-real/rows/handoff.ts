import assert from "node:assert/strict";
import { realAgents, type RealAgent } from "../packages.ts";
import { provenGrade } from "../scene.ts";
import type { Cast } from "../shared-scene.ts";

/** Another agent takes over in the same workspace and is told what was said. */
export const handoff = async ({ scene, main }: Cast): Promise<string> => {
  const id = await main();
  const { cwd } = await scene.client.showSession(id);
  const taken = await scene.client.handOffSession(id, heirOf(scene.agent));
  assert.equal(taken.agent, heirOf(scene.agent));
  assert.equal(taken.cwd, cwd);
  return provenGrade(scene, id);
};

/** The next in the row, so that each hands off once and takes over once. */
export const heirOf = (agent: RealAgent): RealAgent =>
  realAgents[(realAgents.indexOf(agent) + 1) % realAgents.length] ?? agent;
