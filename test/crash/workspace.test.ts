/** Kills agentctl while workspaces are captured, brought back and let go. */
import { workspaceKills } from "./kills.ts";
import { testKills } from "./test-kills.ts";
import { threeTurns, workspaceSteps } from "./workspace-steps.ts";

testKills(workspaceKills, workspaceSteps, threeTurns);
