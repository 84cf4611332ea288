import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { hasErrno } from "../kit/errno.ts";
import { remember } from "./remember.ts";

const run = promisify(execFile);

const PATIENCE_MS = 5000;

const asked = new Map<string, Promise<string | null>>();

/** What a program answers to `--version`. It may take seconds, so each program is asked once until its file changes. */
export const toldVersion = async (
  file: string,
  env: Record<string, string>,
): Promise<string | null> => {
  try {
    const { mtimeMs } = await stat(file);
    const key = `${file} ${mtimeMs}`;
    const answer = asked.get(key) ?? ask(file, env);
    remember(asked, key, answer);
    return await answer;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

const ask = async (
  file: string,
  env: Record<string, string>,
): Promise<string | null> => {
  try {
    const { stdout } = await run(file, ["--version"], {
      env,
      // Some programs read settings where they are run.
      cwd: "/",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    return /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null;
  } catch {
    return null;
  }
};
