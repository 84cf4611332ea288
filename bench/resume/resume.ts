/**
 * Coming back, by the real server, its daemon and the demo agent. Every resume that is timed is also looked at: its
 * grade must be the one its row speaks of, and the agent must know what it was told before.
 */
import type { Bench } from "../figure.ts";
import { agentRows } from "./agent.ts";
import { coldRow } from "./cold.ts";
import { restingRows } from "./resting.ts";

export const resume: Bench = {
  name: "resume",
  measure: async () => [
    ...(await agentRows()),
    await coldRow(),
    ...(await restingRows()),
  ],
};
