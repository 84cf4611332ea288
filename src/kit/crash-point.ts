import { readFileSync, writeFileSync } from "node:fs";

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

  // The server: its home, its database, its link to agentctl, its answers.
  "server.held",
  "store.before-commit",
  "store.after-commit",
  "store.folded",
  "link.before-order",
  "link.after-order",
  "server.before-answer",
  "server.after-answer",
  "server.after-socket-answer",

  // agentctl: its home, the journal of an execution, the agent's files and stdin, its words to the server.
  "agentctl.held",
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
  "agentctl.journal.changed",
  "agentctl.journal.change_refused",
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
  // HEAD, the branch and the index of a worktree. Killed at by `src/agentctl/workspace/git/git-crash.test.ts`.
  "agentctl.git",

  // The vault: its packs, what it can make anew, and the workspaces it restores. Killed at by `src/checkpoint/crash.test.ts`.
  "checkpoint.pack.appended",
  "checkpoint.pack.flushed",
  "checkpoint.pack.placed",
  "checkpoint.pack.settled",
  "checkpoint.pack.removed",
  "checkpoint.local.written",
  "checkpoint.local.placed",
  "checkpoint.restore.written",
  "checkpoint.restore.placed",
  "checkpoint.restore.settled",
  "checkpoint.restore.removed",
  "checkpoint.restore.flushed",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/**
 * Where this process is to die by SIGKILL, on the spot: `<name>`, or `<name>:<n>` for the n-th passage. With
 * `REPRISE_CRASH_SIGNAL=SIGSTOP` it freezes there instead of dying.
 *
 *   REPRISE_CRASH_AT=<point>      counted from its start
 *   REPRISE_CRASH_PLAN=<file>     counted from when it first finds the point in the first line of that file, which may be
 *                                 written at any time. Who dies takes the line out, so its successor lives.
 */
const { REPRISE_CRASH_AT: fromStart, REPRISE_CRASH_PLAN: plan } = process.env;

const fate =
  process.env["REPRISE_CRASH_SIGNAL"] === "SIGSTOP" ? "SIGSTOP" : "SIGKILL";

/** How many passages are left, and which line of the plan says so. */
let armed = { line: fromStart ?? "", left: passageOf(fromStart ?? "") };

export const crashPoint = (name: CrashPoint): void => {
  if (fromStart === undefined && plan === undefined) return;
  const line = fromStart ?? firstLine(plan);
  if (line !== armed.line) armed = { line, left: passageOf(line) };
  if (nameIn(line) !== name) return;
  armed.left -= 1;
  if (armed.left !== 0 || (plan !== undefined && !takeOut(plan, line))) return;
  process.kill(process.pid, fate);
};

const firstLine = (path: string | undefined): string => {
  try {
    return readFileSync(path ?? "", "utf8").split("\n")[0] ?? "";
  } catch {
    // There is no plan at the moment.
    return "";
  }
};

/** False when somebody else has died of that line. */
const takeOut = (path: string, line: string): boolean => {
  const [first, ...rest] = readFileSync(path, "utf8").split("\n");
  if (first !== line) return false;
  writeFileSync(path, rest.join("\n"));
  return true;
};

/** A line is a point, and may hold a remark behind it that tells it from another line for the same point. */
function nameIn(line: string): string {
  return /^[^:\s]*/.exec(line)?.[0] ?? "";
}

function passageOf(line: string): number {
  return Number(/^[^:\s]*:(\d+)/.exec(line)?.[1] ?? 1);
}
