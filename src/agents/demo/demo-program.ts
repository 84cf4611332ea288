import type { AgentHome } from "../state/agent-home.ts";
import type { Launch, Where } from "../launch/launch.ts";
import { VERSION } from "./version.ts";
import { ourProgram } from "../launch/our-program.ts";

/** As `demoHome` has it. */
export const demoRoots: AgentHome = {
  roots: { DEMO_HOME: ".reprise-demo" },
  settings: [],
};

/** The demo program. */
export const locateDemo = async (
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
