/**
 * Runs git to look at a repository. A repository and the person's settings name programs that git runs: hooks, a file
 * system monitor, filters, drivers of diffs, a pager, a program that checks signatures and so on. None of them is run here.
 */
import { isUtf8 } from "node:buffer";
import { lstat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { LinkError } from "../../../contract/link/link-error.ts";
import { cleanEnvironment } from "../../../kit/processes/clean-environment.ts";
import { runBounded } from "../../../kit/processes/bounded-run.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { kindOf } from "../capture/kind-of.ts";
import { repositoryAbove } from "../git/find-repository.ts";
import { withoutFilters } from "./without-filters.ts";

const DEADLINE_MS = 10_000;
const MAX_SETTINGS = 4 * 1024 * 1024;

export interface Repository {
  cwd: string;
  /** The directory that its `.git` is in. */
  top: string;
  /** From there to the workspace, with a slash at its end; empty where they are one. */
  prefix: string;
  /** Options and variables for every git that is run in it. */
  options: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface Output {
  bytes: Buffer;
  /** There was more. */
  truncated: boolean;
}

/** Finds the repository of a workspace, and which filters it has to be looked at without. */
export const openRepository = async (cwd: string): Promise<Repository> => {
  if ((await kindOf(cwd)) !== "directory") throw missing();
  const link = await wholeRepositoryAbove(cwd);
  if (link === null)
    throw new LinkError(
      "not_a_repository",
      "The workspace is in no git repository. `git init` there makes one.",
    );
  const top = dirname(link);
  const below = relative(top, cwd);
  const repository: Repository = {
    cwd,
    top,
    prefix: below === "" ? "" : `${below}/`,
    // Said here, because a setting of the repository can name another directory as its working tree.
    options: [`--git-dir=${link}`, `--work-tree=${top}`, ...NO_PROGRAMS],
    env: environment(),
  };
  const settings = ["config", "--list", "--name-only", "-z"];
  const { bytes, truncated } = await git(repository, settings, MAX_SETTINGS);
  if (truncated)
    throw new LinkError("git_failed", "The repository has too many settings.");
  if (hasOddFilter(bytes))
    throw new LinkError(
      "git_failed",
      "A filter of the repository has a name that is no text in UTF-8, and cannot be switched off. Rename it in the settings of git: `git config --list --name-only` shows it.",
    );
  const { options, env } = withoutFilters(bytes.toString("utf8").split("\0"));
  return {
    ...repository,
    options: [...repository.options, ...options],
    env: { ...repository.env, ...env },
  };
};

/** Arguments and variables of a program are text: a filter whose name is none cannot be named in them. */
const hasOddFilter = (settings: Buffer): boolean =>
  settings
    .toString("latin1")
    .split("\0")
    .filter((name) => name.startsWith("filter."))
    .some((name) => !isUtf8(Buffer.from(name, "latin1")));

/** Git passes over a `.git` that is an empty directory, say. */
const wholeRepositoryAbove = async (
  directory: string,
): Promise<string | null> => {
  const link = await repositoryAbove(directory);
  if (link === null) return null;
  const isWhole = await lstat(join(link, "HEAD")).then(
    () => true,
    // A worktree has a file there.
    (error: unknown) => hasErrno(error, "ENOTDIR"),
  );
  if (isWhole) return link;
  const above = dirname(dirname(link));
  return above === dirname(link) ? null : wholeRepositoryAbove(above);
};

/** What git prints, up to so many bytes. */
export const git = async (
  { cwd, options, env }: Repository,
  args: readonly string[],
  maxBytes: number,
): Promise<Output> => {
  const parts: Buffer[] = [];
  let size = 0;
  const { code, stopped, stderr } = await runBounded({
    program: "git",
    args: ["--no-pager", "--literal-pathspecs", ...options, ...args],
    cwd,
    env,
    deadlineMs: DEADLINE_MS,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      parts.push(chunk);
      size += chunk.length;
      return size > maxBytes ? "enough" : "more";
    },
  }).catch((error: unknown) => {
    throw hasErrno(error, "ENOENT") ? noGit() : error;
  });
  if (stopped === "deadline")
    throw new LinkError(
      "timed_out",
      `git did not come to an end within ${DEADLINE_MS / 1000} s.`,
    );
  if (code !== 0 && stopped === null) throw failed(stderr);
  return {
    bytes: Buffer.concat(parts).subarray(0, maxBytes),
    truncated: stopped === "enough",
  };
};

/** The commit that a name stands for; null where there is none. */
export const commitOf = async (
  repository: Repository,
  revision: string,
): Promise<string | null> => {
  // A name that begins with a dash would be an option.
  if (revision.startsWith("-") || revision.includes("\0")) return null;
  const wanted = `${revision}^{commit}`;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", wanted];
  try {
    const { bytes } = await git(repository, args, 1000);
    return bytes.toString("utf8").trim();
  } catch (error) {
    if (error instanceof LinkError && error.code === "git_failed") return null;
    throw error;
  }
};

const NO_PROGRAMS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.editor=true",
  "core.askPass=true",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.alternateRefsCommand=",
  "core.quotePath=false",
  "credential.helper=",
  "diff.external=",
  "diff.submodule=short",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "log.showSignature=false",
  "status.submoduleSummary=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Nothing that would lead git elsewhere is handed on, nothing is written, and nothing is fetched. */
const environment = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(cleanEnvironment(process.env)).filter(
      ([name]) => !/^(GIT_|SSH_ASKPASS|PAGER$|EDITOR$|VISUAL$)/.test(name),
    ),
  ),
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
});

const failed = (stderr: string): LinkError =>
  new LinkError(
    "git_failed",
    `git says: ${
      stderr
        .replaceAll(/^(fatal|error): /gm, "")
        .trim()
        .slice(0, 1000) || "nothing"
    }`,
  );

const noGit = (): LinkError =>
  new LinkError("git_failed", "There is no git on the PATH of agentctl.");

const missing = (): LinkError =>
  new LinkError(
    "workspace_missing",
    "The workspace of the session is not there. Resume the session: its newest checkpoint is restored then.",
  );
