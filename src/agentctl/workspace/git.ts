import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Git did not do it. Its words say why. */
export class GitFailed extends Error {}

const run = promisify(execFile);

/** Runs git in a directory, without a shell. Variables that would lead it elsewhere are not handed on. */
export const git = async (
  directory: string,
  ...args: readonly string[]
): Promise<string> => {
  try {
    const { stdout } = await run("git", ["-C", directory, ...args], {
      env: environment(),
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    throw new GitFailed(wordsOf(error), { cause: error });
  }
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
  LC_ALL: "C",
});

const wordsOf = (error: unknown): string => {
  const stderr =
    error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const said = stderr.replaceAll(/^(fatal|error): /gm, "").trim();
  if (said !== "") return said;
  return error instanceof Error ? error.message : String(error);
};
