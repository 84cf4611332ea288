import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import { demoRoots, locateDemo } from "./demo-program.ts";
import { demoState } from "./demo-state.ts";
import { demoHome, existingSession } from "./session-path.ts";

/** The thing to try first: a real ACP program that needs no model and no login and keeps its own sessions. */
export const demo: Agent = {
  id: "demo",
  name: "Demo",
  driver: "acp",
  native: true,
  injection: true,
  install: null,
  home: demoRoots,
  locate: (where) => locateDemo(where, []),
  transcript: ({ home, env }, nativeSessionId) =>
    existingSession(demoHome(env, home), nativeSessionId),
  state: demoState,
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};
