/** What we say of each agent: the grade with which it comes back. `docs/agents.md` prints it, the tests hold it against the real programs. */
import type { RealAgent } from "./packages.ts";

export const rows = {
  pause: "paused and resumed",
  killMidStream: "everything killed in the middle of a stream",
  unknownToken: "a token that the agent does not know",
  killAtPermission: "everything killed while a permission is asked for",
  killDuringShell: "killed while a shell command runs",
  cold: "workspace and the agent's home deleted while paused",
  fork: "forked into another path",
  rewind: "rewound, beside another session in the same home",
  moved: "exported, everything removed, imported at another path",
  handoff: "handed off to another agent",
  quota: "its quota is used up for a while",
} as const;
export type Row = keyof typeof rows;

/** How a session comes back, or what becomes of a turn that ran into a quota. */
export type Outcome =
  | "native"
  | "injected"
  | "fresh"
  | "continued at reset"
  | "continued"
  | "failed"
  | "unnoticed";

const usual: Readonly<Record<Row, Outcome>> = {
  pause: "native",
  killMidStream: "native",
  unknownToken: "injected",
  killAtPermission: "native",
  killDuringShell: "native",
  cold: "native",
  fork: "native",
  rewind: "native",
  moved: "native",
  handoff: "injected",
  quota: "continued",
};

export const matrix: Readonly<
  Record<RealAgent, Readonly<Record<Row, Outcome>>>
> = {
  claude: usual,
  codex: usual,
  opencode: { ...usual, quota: "failed" },
  gemini: usual,
  copilot: { ...usual, quota: "unnoticed" },
};
