import type { CrashPoint } from "../../src/kit/crash-point.ts";
import {
  agentIsBroken,
  journalIsTorn,
  muchIsWritten,
  outputIsLost,
} from "./rare-story.ts";
import { wholeLife } from "./story.ts";
import type { User } from "./user.ts";
import { comesBackCold, goesBack, letsGo } from "./workspace-story.ts";
import type { Crash, World } from "./world.ts";

export interface Kill extends Crash {
  /** What is being done meanwhile. */
  live(world: World): Promise<User>;
  /** How often the agent cannot be started in that story, whoever is killed; never, if nothing is said. */
  errors?: number;
}

type Table = Partial<Record<CrashPoint, readonly number[]>>;

/** Passages through each point in the course of a session's whole life; one kill for each. */
const ofServer: Table = {
  "server.held": [1],
  // Who holds the home; the token; where the server is; agentctl's token, its Node, its program.
  "file.written": [1, 3],
  "file.placed": [2, 5],
  "file.settled": [5],
  // The schema, the term, then whatever the session does.
  "store.before-commit": [1, 3, 12],
  "store.after-commit": [1, 3, 7, 12, 20],
  "link.before-order": [1, 5, 7, 10, 16],
  "link.after-order": [1, 5, 8, 12, 20],
  // Create, prompt, permit, cancel, pause, resume.
  "server.before-answer": [1, 3, 6, 8, 9, 10],
  "server.after-answer": [1, 3, 6, 9],
  "server.after-socket-answer": [1],
};

const ofAgentctl: Table = {
  "agentctl.held": [1],
  // Where agentctl is; the term; the directories of an execution; its end.
  "file.written": [1, 2],
  "file.placed": [2],
  "file.settled": [2],
  "file.removed": [1],
  "agentctl.journal.ordered": [1],
  "agentctl.files": [1],
  "agentctl.launched": [1, 2],
  "agentctl.journal.launched": [1],
  "agentctl.journal.handed": [2],
  "agentctl.journal.sent": [1, 5],
  // Part of a message, and the whole of one.
  "agentctl.stdin.body": [2, 6],
  "agentctl.journal.committed": [2, 5],
  "agentctl.journal.flushed": [1, 4],
  "agentctl.stdin.newline": [2, 5],
  "agentctl.journal.written": [5],
  "agentctl.journal.opened": [1],
  "agentctl.journal.turn_ended": [2],
  "agentctl.journal.transcript": [1],
  "agentctl.journal.notice": [1],
  "agentctl.journal.acknowledged": [1],
  "agentctl.journal.stopping": [1],
  "agentctl.journal.ended": [1],
  "agentctl.answer": [1, 5, 12],
  "agentctl.report": [1, 4, 8],
};

/** While a checkpoint is taken, a workspace is brought back, or blobs are removed. Every thread counts for itself. */
const ofWorkspace: readonly Omit<Kill, "who">[] = [
  { at: ["checkpoint.pack.appended:1"], live: goesBack },
  { at: ["checkpoint.pack.flushed:3"], live: goesBack },
  { at: ["checkpoint.pack.settled:3"], live: comesBackCold },
  { at: ["checkpoint.local.placed:2"], live: comesBackCold },
  { at: ["checkpoint.restore.written:1"], live: goesBack },
  { at: ["checkpoint.restore.removed:1"], live: goesBack },
  { at: ["checkpoint.restore.settled:1"], live: goesBack },
  { at: ["checkpoint.restore.written:1"], live: comesBackCold },
  { at: ["checkpoint.restore.placed:2"], live: comesBackCold },
  { at: ["checkpoint.restore.settled:1"], live: comesBackCold },
  { at: ["checkpoint.pack.removed:1"], live: letsGo },
];

const each = (who: Crash["who"], table: Table): Kill[] =>
  Object.entries(table).flatMap(([name, passages]) =>
    passages.map((n) => ({
      who,
      at: [`${name as CrashPoint}:${n}` as const],
      live: wholeLife,
    })),
  );

export const kills: Kill[] = [
  ...each("server", ofServer),
  ...each("agentctl", ofAgentctl),
  ...ofWorkspace.map((kill) => ({ who: "agentctl" as const, ...kill })),
  { who: "server", at: ["store.folded"], live: muchIsWritten },
  {
    who: "agentctl",
    at: ["agentctl.journal.failed"],
    live: agentIsBroken,
    errors: 1,
  },
  { who: "agentctl", at: ["agentctl.journal.output_lost"], live: outputIsLost },
  { who: "agentctl", at: ["agentctl.journal.cut"], live: journalIsTorn },
  // A message is cut off by one death, and what ends the cut line by another.
  {
    who: "agentctl",
    at: ["agentctl.stdin.body:6", "agentctl.stdin.spoilt"],
    live: wholeLife,
  },
];
