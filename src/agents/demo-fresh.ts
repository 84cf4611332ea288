import type { Agent } from "./agent.ts";
import { locateDemo } from "./demo-program.ts";

/** The demo agent as one that starts over every time. */
export const demoFresh: Agent = {
  id: "demo-fresh",
  name: "Demo (no memory)",
  driver: "acp",
  native: false,
  injection: false,
  install: null,
  locate: (where) => locateDemo(where, ["--no-memory"]),
};
