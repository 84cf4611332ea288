import type { AgentHome } from "../state/agent-home.ts";
import type { Program } from "../launch/program.ts";

export const opencodeProgram: Program = {
  name: "opencode",
  args: ["acp"],
  package: "opencode-ai",
  version: "1.18.18",
};

/** What it fetches from the network stays shared: a cache is nobody's session. */
export const opencodeHome: AgentHome = {
  roots: {
    XDG_CONFIG_HOME: ".config",
    XDG_DATA_HOME: ".local/share",
    XDG_STATE_HOME: ".local/state",
  },
  alone: "opencode",
  settings: [
    { root: "XDG_CONFIG_HOME", name: "opencode/opencode.json" },
    { root: "XDG_CONFIG_HOME", name: "opencode/opencode.jsonc" },
    { root: "XDG_CONFIG_HOME", name: "opencode/AGENTS.md" },
  ],
};
