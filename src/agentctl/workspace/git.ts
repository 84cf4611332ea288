import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { crashPoint } from "../../kit/crash-point.ts";

/** Git did not do it. Its words say why. */
export class GitFailed extends Error {}

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

/** Runs git in a directory, without a shell. Variables that would lead it elsewhere are not handed on. */
export const git = (
  directory: string,
  ...args: readonly string[]
): Promise<string> => gitWith({}, directory, ...args);

/** The same with variables of its own. */
export const gitWith = async (
  variables: Readonly<Record<string, string>>,
  directory: string,
  ...args: readonly string[]
): Promise<string> => {
  try {
    const { stdout } = await run(
      "git",
      ["-C", directory, ...NO_PROGRAMS, ...args],
      {
        env: { ...environment(), ...variables },
        maxBuffer: 16 * 1024 * 1024,
      },
    );
    return stdout;
  } catch (error) {
    throw new GitFailed(wordsOf(error), { cause: error });
  }
};

/** What git writes here is on the disk when it resolves. */
export const gitWrites = async (
  directory: string,
  ...args: readonly string[]
): Promise<void> => {
  await git(directory, "-c", "core.fsync=all", ...args);
  crashPoint("agentctl.git");
};

export const gitSucceeds = async (
  directory: string,
  ...args: readonly string[]
): Promise<boolean> => {
  try {
    await git(directory, ...args);
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
  return error instanceof Error ? error.message : String(error);
};
