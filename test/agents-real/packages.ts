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

export const packagesOf: Readonly<Record<RealAgent, Installed>> = {
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
};
