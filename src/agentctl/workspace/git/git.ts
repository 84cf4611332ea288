import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { crashPoint } from "../../../kit/crash-point.ts";
import type { Where } from "./find-repository.ts";
import { watchForFifos } from "./waiting.ts";

/** Git did not do it. Its words say why; it has no codes of its own. */
export class GitFailed extends Error {
  /** It came across a worktree that another git is making. */
  readonly isHalfMade: boolean;
  constructor(output: string, options?: ErrorOptions) {
    super(output, options);
    this.isHalfMade = HALF_MADE.test(output);
  }
}

const HALF_MADE = /failed to read .*\/worktrees\/.*\/commondir/;

const run = promisify(execFile);

/**
 * A repository and the settings of the person name programs that git runs: hooks, a file system monitor, a pager, an
 * editor and so on. None of them is ours to run. Filters are: what git checks out without them is not what the person has.
 */
const NO_PROGRAMS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.editor=true",
  "sequence.editor=true",
  "core.askPass=true",
  "credential.helper=",
  "diff.external=",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

export type { Where };

/** Runs git in a directory, without a shell. Variables that would lead it elsewhere are not handed on. */
export const git = (
  where: Where,
  ...args: readonly string[]
): Promise<string> => gitWith({}, where, ...args);

/** The same with variables of its own. */
export const gitWith = (
  variables: Variables,
  where: Where,
  ...args: readonly string[]
): Promise<string> => gitFed("", { ...NO_FETCH, ...variables }, where, args);

/** Makes the files of a worktree: a partial clone has to fetch them. */
export const gitChecksOut = (
  where: Where,
  ...args: readonly string[]
): Promise<string> => gitFed("", {}, where, args, NO_LIMIT);

type Variables = Readonly<Record<string, string>>;

/** A partial clone fetches whatever it is asked for and lacks, by programs that its settings name. Not all git know the first. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/** What it checks out may be large. */
const LONGEST_MS = 10 * 60_000;
const NO_LIMIT = 0;

const gitFed = async (
  input: string,
  variables: Variables,
  where: Where,
  args: readonly string[],
  timeout = LONGEST_MS,
): Promise<string> => {
  const running = run("git", [...wayTo(where), ...NO_PROGRAMS, ...args], {
    env: { ...environment(), ...variables },
    maxBuffer: 16 * 1024 * 1024,
    timeout,
    killSignal: "SIGKILL",
  });
  const watch = watchForFifos(where, running.child);
  try {
    // Git may end before it has read all of it.
    running.child.stdin?.on("error", () => undefined).end(input);
    return (await running).stdout;
  } catch (error) {
    throw new GitFailed(watch.reason() ?? wordsOf(error), { cause: error });
  } finally {
    watch.end();
  }
};

const wayTo = (where: Where): string[] =>
  typeof where === "string"
    ? ["-C", where]
    : ["-C", where.gitDirectory, "--git-dir=."];

/** What git writes here is on the disk when it resolves. */
export const gitWrites = async (
  where: Where,
  ...args: readonly string[]
): Promise<void> => {
  await git(where, "-c", "core.fsync=all", ...args);
  crashPoint("agentctl.git");
};

/** Several refs at once: all of them, or none. */
export const gitUpdatesRefs = async (
  where: Where,
  why: string,
  orders: readonly string[],
  settings: readonly string[],
): Promise<void> => {
  const input = orders.map((order) => `${order}\n`).join("");
  const update = ["update-ref", "-m", why, "--stdin"];
  await gitFed(input, NO_FETCH, where, [...settings, ...update]);
  crashPoint("agentctl.git");
};

/** Gives git these lines, and has those that it tells. */
export const gitFilters = async (
  lines: readonly string[],
  where: Where,
  ...args: readonly string[]
): Promise<string[]> => {
  const input = lines.map((line) => `${line}\n`).join("");
  const output = await gitFed(input, NO_FETCH, where, args);
  return output.split("\n").filter((line) => line !== "");
};

/** What a ref leaves is in its reflog, whatever the repository's settings say, and in a bare one too. */
export const LOGGED = ["-c", "core.logAllRefUpdates=always"];

export const gitSucceeds = async (
  where: Where,
  ...args: readonly string[]
): Promise<boolean> => {
  try {
    await git(where, ...args);
    return true;
  } catch {
    return false;
  }
};

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")),
  ),
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  LC_ALL: "C",
});

const wordsOf = (error: unknown): string => {
  const stderr =
    error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const said = stderr.replaceAll(/^(fatal|error): /gm, "").trim();
  if (said !== "") return said;
  if (error instanceof Error && "killed" in error && error.killed === true)
    return "git came to no end and was stopped";
  return error instanceof Error ? error.message : String(error);
};
