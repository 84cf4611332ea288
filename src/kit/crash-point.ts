import { appendFileSync, existsSync, readFileSync } from "node:fs";

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

const fate =
  process.env["REPRISE_CRASH_SIGNAL"] === "SIGSTOP" ? "SIGSTOP" : "SIGKILL";

/** By name, how many passages are left. */
const wanted = new Map(
  process.env["REPRISE_CRASH_AT"]?.split(",").map((each) => {
    const [name = "", passage = "1"] = each.split(":");
    return [name, Number(passage)];
  }),
);

/**
 * With `REPRISE_CRASH_AT=<name>` (or `<name>:<n>` for the n-th passage; several, with commas) the process dies here by
 * SIGKILL, on the spot. With `REPRISE_CRASH_ONCE=<file>` it leaves the name there, and whoever is started after it with
 * the same environment lives through that point. With `REPRISE_CRASH_SIGNAL=SIGSTOP` it freezes instead of dying.
 */
export const crashPoint = (name: CrashPoint): void => {
  const left = wanted.get(name);
  if (left === undefined) return;
  wanted.set(name, left - 1);
  if (left === 1 && isFirst(name)) process.kill(process.pid, fate);
};

const isFirst = (name: CrashPoint): boolean => {
  const died = process.env["REPRISE_CRASH_ONCE"];
  if (died === undefined) return true;
  const names = existsSync(died) ? readFileSync(died, "utf8").split("\n") : [];
  if (names.includes(name)) return false;
  appendFileSync(died, `${name}\n`);
  return true;
};
