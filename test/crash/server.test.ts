/** Kills the server at every crash point of its own, in the middle of sessions' lives. */
import { serverKills } from "./kills.ts";
import { beginScene, steps } from "./steps.ts";
import { testKills } from "./test-kills.ts";

testKills(serverKills, steps, beginScene);
