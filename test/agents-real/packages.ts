/** The real agents our tests run: npm packages at exact versions, since an agent's ways of resuming change between releases. */
export interface Installed {
  /** npm packages with exact versions, including those of their dependencies that matter. */
  packages: Readonly<Record<string, string>>;
  /** The programs they bring. */
  programs: readonly string[];
  /** Packages whose install script puts a native program in its place. The scripts of all others stay unrun. */
  scripts: readonly string[];
}

export const realAgents = [
  "claude",
  "codex",
  "opencode",
  "gemini",
  "copilot",
] as const;
export type RealAgent = (typeof realAgents)[number];

/** Those that do nothing without a login of their own. */
export const loginAgents = ["auggie", "amp"] as const;
export type LoginAgent = (typeof loginAgents)[number];

export const packagesOf: Readonly<Record<RealAgent | LoginAgent, Installed>> = {
  claude: {
    packages: {
      "@agentclientprotocol/claude-agent-acp": "0.99.0",
      "@anthropic-ai/claude-code": "2.1.325",
    },
    programs: ["claude-agent-acp", "claude"],
    scripts: ["@anthropic-ai/claude-code"],
  },
  codex: {
    packages: {
      "@agentclientprotocol/codex-acp": "2.6.0",
      "@openai/codex": "0.166.0",
    },
    programs: ["codex-acp", "codex"],
    scripts: [],
  },
  opencode: {
    packages: { "opencode-ai": "1.18.18" },
    programs: ["opencode"],
    scripts: ["opencode-ai"],
  },
  gemini: {
    packages: { "@google/gemini-cli": "0.61.0" },
    programs: ["gemini"],
    scripts: [],
  },
  copilot: {
    packages: { "@github/copilot": "1.0.102" },
    programs: ["copilot"],
    scripts: [],
  },
  auggie: {
    packages: { "@augmentcode/auggie": "0.36.0" },
    programs: ["auggie"],
    scripts: [],
  },
  amp: {
    packages: { "@ampcode/cli": "0.0.1790142911-g7618fb" },
    programs: ["amp"],
    // Its script fails where there is no program for the platform; then a stand-in says so.
    scripts: process.arch === "x64" ? ["@ampcode/cli"] : [],
  },
};
