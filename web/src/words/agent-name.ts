import { legibleName } from "./legible.ts";

/** What agents are called. The server's list has the names of all; until it is there these will do. */
const names: Readonly<Record<string, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
  copilot: "Copilot",
  auggie: "Auggie",
  amp: "Amp",
  demo: "Demo",
  "demo-inject": "Demo, told its history",
  "demo-fresh": "Demo, without memory",
};

export const agentName = (
  id: string,
  known: readonly { id: string; name: string }[] = [],
): string =>
  known.find((agent) => agent.id === id)?.name ?? names[id] ?? legibleName(id);
