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
  handoff: "handed off to another agent",
} as const;
export type Row = keyof typeof rows;

type Grade = "native" | "injected" | "fresh";

const usual: Readonly<Record<Row, Grade>> = {
  pause: "native",
  killMidStream: "native",
  unknownToken: "injected",
  killAtPermission: "native",
  killDuringShell: "native",
  cold: "native",
  fork: "native",
  rewind: "native",
  handoff: "injected",
};

export const matrix: Readonly<Record<RealAgent, Readonly<Record<Row, Grade>>>> =
  {
    claude: usual,
    codex: usual,
    opencode: usual,
    gemini: usual,
    copilot: usual,
  };
