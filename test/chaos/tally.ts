/** What was done to the house in a run. */
export const targets = [
  "server",
  "agentctl",
  "agent",
  "wrapper",
  "everything",
] as const;
export type Target = (typeof targets)[number];

export interface Strikes {
  killed: number;
  /** Of those, while a turn was running that it hit. */
  inTurn: number;
  frozen: number;
}

export interface Tally {
  strikes: Record<Target, Strikes>;
  sessions: number;
  prompts: number;
  repeated: number;
  permissions: number;
  refusals: Map<string, number>;
  /** Second servers on the home. */
  rivals: { refused: number; tookOver: number; intruded: number };
  rewinds: number;
  forks: number;
  /** Moments of rest whose workspace was listed, and what was taken away in them. */
  rests: number;
  losses: number;
  /** Times that something was mounted in a workspace, or unmounted. */
  mounts: number;
  /** Something was taken away from a session that did not rest after all. */
  disturbed: number;
  collections: { done: number; purged: number; freedBytes: number };
  checkpoints: { saved: number; partial: number; failed: number };
}

const untouched = (): Strikes => ({ killed: 0, inTurn: 0, frozen: 0 });

export const blankTally = (): Tally => ({
  strikes: {
    server: untouched(),
    agentctl: untouched(),
    agent: untouched(),
    wrapper: untouched(),
    everything: untouched(),
  },
  sessions: 0,
  prompts: 0,
  repeated: 0,
  permissions: 0,
  refusals: new Map(),
  rivals: { refused: 0, tookOver: 0, intruded: 0 },
  rewinds: 0,
  forks: 0,
  rests: 0,
  losses: 0,
  mounts: 0,
  disturbed: 0,
  collections: { done: 0, purged: 0, freedBytes: 0 },
  checkpoints: { saved: 0, partial: 0, failed: 0 },
});
