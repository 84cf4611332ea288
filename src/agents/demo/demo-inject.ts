import type { Agent } from "../agent/agent.ts";
import { demoRoots, locateDemo } from "./demo-program.ts";

/** The demo agent as one that cannot resume its own sessions but reads the history it is given. */
export const demoInject: Agent = {
  id: "demo-inject",
  name: "Demo (history injection)",
  driver: "acp",
  native: false,
  injection: true,
  install: null,
  home: demoRoots,
  locate: (where) => locateDemo(where, ["--no-native"]),
};
