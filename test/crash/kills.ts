/**
 * All kills: who dies where, and what it was doing. A passage is counted from when the kill is ordered, which is right
 * before the step begins; threads count for themselves.
 */
import type { CrashPoint } from "../../src/kit/crash-point.ts";
import type { rareSteps } from "./rare-steps.ts";
import type { steps } from "./steps.ts";
import type { workspaceSteps } from "./workspace-steps.ts";
import type { Crash } from "./world.ts";

export interface Kill<S extends string> extends Crash {
  /** What is being done meanwhile. */
  step: S;
  /** How often the agent cannot be started in that step, whoever is killed; never, if nothing is said. */
  errors?: number;
}

/** Passages through each point; one kill for each. */
type Passages = Partial<Record<CrashPoint, readonly number[]>>;

/** In a home where nothing is yet: the server's first start, then its first session, in which both die. */
export const firstKills: readonly {
  start: Crash;
  session: readonly Crash[];
}[] = (() => {
  const starts = crashes("server", {
    "server.held": [1],
    // Who holds the home; the token; the clocks; where the server is.
    "file.settled": [1],
    "file.written": [2],
    "file.placed": [4],
    // The schema.
    "store.before-commit": [1],
    "store.after-commit": [1],
  });
  const servers = crashes("server", {
    // agentctl's token, its Node, its program.
    "file.written": [1],
    "file.placed": [3],
    "file.settled": [3],
    // The first words on the link.
    "link.before-order": [1],
    "link.after-order": [1],
  });
  const daemons = crashes("agentctl", {
    "agentctl.held": [1],
    // Where agentctl is; the term.
    "file.written": [1, 2],
    "file.placed": [2],
    "file.settled": [2],
    "agentctl.answer": [1],
  });
  return starts.map((start, at) => ({
    start,
    session: [servers[at], daemons[at]].filter((it) => it !== undefined),
  }));
})();

type Step = keyof typeof steps;

export const serverKills = killsOf("server", {
  "lives a short life": {
    // The creation, the start, the end.
    "store.before-commit": [1, 4],
    "store.after-commit": [1, 3, 6],
    "link.before-order": [1, 4],
    "link.after-order": [1, 4],
    "server.before-answer": [1, 7],
    "server.after-answer": [1],
  },
  "is prompted": {
    "store.before-commit": [2],
    "store.after-commit": [1, 4],
    "link.before-order": [1, 3],
    "link.after-order": [1, 3],
    "server.before-answer": [1],
    "server.after-answer": [1],
  },
  "is prompted over a socket": { "server.after-socket-answer": [1] },
  "asks for a permission": {
    "store.after-commit": [4],
    "link.before-order": [4],
    "link.after-order": [4],
    "server.before-answer": [2],
    "server.after-answer": [2],
  },
  "is cancelled": {
    "link.before-order": [3],
    "server.before-answer": [2],
  },
  "changes its mode": {
    // What was asked for, and what the agent said to it.
    "store.after-commit": [1, 2],
    "link.before-order": [1],
    "link.after-order": [1],
    "server.before-answer": [1, 2],
  },
  "is paused and resumed": {
    "store.after-commit": [2],
    "link.after-order": [5],
    // The pause, then the resume.
    "server.before-answer": [1, 2],
    "server.after-answer": [1],
  },
} satisfies Partial<Record<Step, Passages>>);

export const agentctlKills: readonly Kill<Step>[] = [
  ...killsOf("agentctl", {
    "lives a short life": {
      "agentctl.journal.ordered": [1],
      "agentctl.files": [1],
      "agentctl.launched": [1],
      "agentctl.journal.launched": [1],
      // To open a session.
      "agentctl.journal.sent": [1],
      "agentctl.stdin.body": [2],
      "agentctl.journal.committed": [2],
      "agentctl.journal.flushed": [1],
      "agentctl.stdin.newline": [2],
      "agentctl.journal.opened": [1],
      "agentctl.journal.notice": [1],
      "agentctl.answer": [5],
      "agentctl.report": [1],
    },
    "is prompted": {
      "agentctl.journal.handed": [1],
      "agentctl.journal.sent": [1],
      "agentctl.journal.flushed": [2],
      "agentctl.stdin.newline": [1],
      "agentctl.journal.written": [1],
      "agentctl.journal.turn_ended": [1],
      "agentctl.journal.transcript": [1],
      "agentctl.answer": [2],
      "agentctl.report": [2],
    },
    // Part of a message, and the whole of one.
    "gets long prompts": {
      "agentctl.stdin.body": [1, 2],
      "agentctl.journal.acknowledged": [1],
    },
    "asks for a permission": {
      "agentctl.journal.committed": [2],
      "agentctl.report": [2],
    },
    "is cancelled": { "agentctl.stdin.newline": [2] },
    "changes its mode": {
      "agentctl.journal.sent": [1],
      "agentctl.journal.committed": [1],
      "agentctl.journal.written": [1],
      "agentctl.journal.changed": [1],
      "agentctl.journal.change_refused": [1],
    },
    "is paused and resumed": {
      "file.removed": [1],
      "agentctl.launched": [1],
      "agentctl.journal.stopping": [1],
      "agentctl.journal.ended": [1],
    },
  } satisfies Partial<Record<Step, Passages>>),
  // A message is cut off by one death, and what ends the cut line by another.
  {
    who: "agentctl",
    at: ["agentctl.stdin.body:1", "agentctl.stdin.spoilt"],
    step: "gets long prompts",
  },
];

/** While a checkpoint is taken, a workspace is brought back, or blobs are removed. */
export const workspaceKills = killsOf("agentctl", {
  "goes back": {
    "checkpoint.pack.appended": [1],
    "checkpoint.pack.flushed": [2],
    "checkpoint.restore.written": [1],
    "checkpoint.restore.removed": [1],
    "checkpoint.restore.settled": [1],
  },
  "comes back cold": {
    "checkpoint.pack.settled": [1],
    "checkpoint.local.placed": [1],
    "checkpoint.restore.written": [1],
    "checkpoint.restore.placed": [2],
    "checkpoint.restore.settled": [1],
  },
  "lets another one go": { "checkpoint.pack.removed": [1] },
} satisfies Record<keyof typeof workspaceSteps, Passages>);

export const rareKills: readonly Kill<keyof typeof rareSteps>[] = [
  { who: "server", at: ["store.folded"], step: "writes much" },
  {
    who: "agentctl",
    at: ["agentctl.journal.failed"],
    step: "cannot be started",
    errors: 1,
  },
  {
    who: "agentctl",
    at: ["agentctl.journal.output_lost"],
    step: "loses output",
  },
  { who: "agentctl", at: ["agentctl.journal.cut"], step: "has a torn journal" },
];

/** Every crash, wherever it happens. */
export const allCrashes: readonly Crash[] = [
  ...firstKills.flatMap(({ start, session }) => [start, ...session]),
  ...serverKills,
  ...agentctlKills,
  ...workspaceKills,
  ...rareKills,
];

function killsOf<S extends string>(
  who: Crash["who"],
  table: Readonly<Record<S, Passages>>,
): Kill<S>[] {
  return (Object.keys(table) as S[]).flatMap((step) =>
    crashes(who, table[step]).map((crash) => ({ ...crash, step })),
  );
}

function crashes(who: Crash["who"], passages: Passages): Crash[] {
  return Object.entries(passages).flatMap(([name, numbers]) =>
    numbers.map((n) => ({ who, at: [`${name as CrashPoint}:${n}` as const] })),
  );
}
