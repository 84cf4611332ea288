/** Kills agentctl at every crash point of its own, in the middle of sessions' lives. */
import { agentctlKills } from "./kills.ts";
import { beginScene, steps } from "./steps.ts";
import { testKills } from "./test-kills.ts";

testKills(agentctlKills, steps, beginScene);
