import type { Agent } from "../agent/agent.ts";
import { demoRoots, locateDemo } from "./demo-program.ts";

/** The demo agent as one that starts over every time. */
export const demoFresh: Agent = {
  id: "demo-fresh",
  name: "Demo (no memory)",
  driver: "acp",
  native: false,
  injection: false,
  install: null,
  home: demoRoots,
  locate: (where) => locateDemo(where, ["--no-memory"]),
};
