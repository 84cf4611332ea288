/** Files in a workspace that agents read by themselves when they start, to know how to work there. */
export const instructionFiles = [
  "AGENTS.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  "GEMINI.md",
  ".github/copilot-instructions.md",
] as const;
