/** The demo agent: a real ACP program that needs no model and no login. Three agents run it, which resume in three ways. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { RESOURCE_NOT_FOUND } from "../agent/acp-error.ts";
import type { Agent } from "../agent/agent.ts";
import type { Launch, Where } from "../launch/launch.ts";
import { ourProgram } from "../launch/our-program.ts";
import type { AgentHome } from "../state/agent-home.ts";
import { oneFileState } from "../state/one-file-state.ts";
import { demoHome, existingSession } from "./session-path.ts";
import { VERSION } from "./version.ts";

/** As `demoHome` has it. */
const home: AgentHome = {
  roots: { DEMO_HOME: ".reprise-demo" },
  settings: [],
};

const locateDemo = async (
  where: Where,
  flags: readonly string[],
): Promise<Launch | null> => {
  const program = ourProgram(
    where,
    "demo-agent",
    "../../programs/demo/main.ts",
  );
  if (program === null) return null;
  return {
    argv: [where.node, program, ...flags],
    env: {},
    version: VERSION,
    found: "built-in",
  };
};

/** The demo agent's session file: its header bears the id and the directory. */
export const demoState = oneFileState({
  find: ({ home, env }, token) => existingSession(demoHome(env, home), token),
  pathOf: ({ home, env }, token) =>
    join(demoHome(env, home), "sessions", `${token}.jsonl`),
  rewrite: (from, to) => (record) =>
    record["type"] === "session" &&
    (from.token !== to.token || from.cwd !== to.cwd)
      ? { ...record, id: to.token, cwd: to.cwd }
      : null,
  newToken: () => randomUUID(),
});

/** It keeps its own sessions and resumes them. */
export const demo: Agent = {
  id: "demo",
  name: "Demo",
  driver: "acp",
  native: true,
  injection: true,
  install: null,
  home,
  locate: (where) => locateDemo(where, []),
  transcript: ({ home, env }, nativeSessionId) =>
    existingSession(demoHome(env, home), nativeSessionId),
  state: demoState,
  isUnknownSession: ({ code }) => code === RESOURCE_NOT_FOUND,
};

/** It cannot resume its own sessions but reads the history that it gets with a prompt. */
export const demoInject: Agent = {
  id: "demo-inject",
  name: "Demo (history injection)",
  driver: "acp",
  native: false,
  injection: true,
  install: null,
  home,
  locate: (where) => locateDemo(where, ["--no-native"]),
};

/** It starts over every time. */
export const demoFresh: Agent = {
  id: "demo-fresh",
  name: "Demo (no memory)",
  driver: "acp",
  native: false,
  injection: false,
  install: null,
  home,
  locate: (where) => locateDemo(where, ["--no-memory"]),
};
