import { writeFileSync } from "node:fs";
import { hasErrno } from "./errno.ts";

/**
 * Every place where a process may die between an effect and what rests on it. They stand inside the few functions that
 * write, flush or send what matters (the linter keeps all others from doing it), so this list is complete: dying
 * before an effect is dying after the one before it. `test/crash` kills a real process at each.
 */
export const crashPoints = [
  // Files that replace others, or appear once: `kit/durable-file`, in the server and in agentctl.
  "file.written",
  "file.placed",
  "file.settled",
  "file.removed",

  // The server: its database, its link to agentctl, its answers.
  "store.before-commit",
  "store.after-commit",
  "store.folded",
  "link.before-order",
  "link.after-order",
  "server.before-answer",
  "server.after-answer",
  "server.after-socket-answer",

  // agentctl: the journal of an execution, the agent's files and stdin, its words to the server.
  "agentctl.journal.ordered",
  "agentctl.journal.launched",
  "agentctl.journal.handed",
  "agentctl.journal.sent",
  "agentctl.journal.committed",
  "agentctl.journal.written",
  "agentctl.journal.opened",
  "agentctl.journal.turn_ended",
  "agentctl.journal.transcript",
  "agentctl.journal.notice",
  "agentctl.journal.failed",
  "agentctl.journal.stopping",
  "agentctl.journal.output_lost",
  "agentctl.journal.acknowledged",
  "agentctl.journal.ended",
  "agentctl.journal.flushed",
  "agentctl.journal.cut",
  "agentctl.files",
  "agentctl.launched",
  "agentctl.stdin.body",
  "agentctl.stdin.newline",
  "agentctl.stdin.spoilt",
  "agentctl.answer",
  "agentctl.report",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

const { REPRISE_CRASH_AT: wanted, REPRISE_CRASH_ONCE: once } = process.env;
const [wantedName, wantedPassage = "1"] = wanted?.split(":") ?? [];
let passages = 0;

/**
 * With `REPRISE_CRASH_AT=<name>` (or `<name>:<n>` for the n-th passage) the process dies here by SIGKILL, on the spot.
 * With `REPRISE_CRASH_ONCE=<file>` it leaves its name there and only the first one dies: whoever is started after it
 * with the same environment lives.
 */
export const crashPoint = (name: CrashPoint): void => {
  if (name !== wantedName) return;
  passages += 1;
  if (passages === Number(wantedPassage) && isFirst(name))
    process.kill(process.pid, "SIGKILL");
};

const isFirst = (name: CrashPoint): boolean => {
  if (once === undefined) return true;
  try {
    writeFileSync(once, name, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return false;
    throw error;
  }
};
