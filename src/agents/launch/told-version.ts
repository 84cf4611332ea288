import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { hasErrno } from "../../kit/errno.ts";
import { remember } from "./remember.ts";

const run = promisify(execFile);

const PATIENCE_MS = 5000;

/** What programs answered. One that failed is asked again: the next one who asks may have what it lacked. */
const answered = new Map<string, Answer>();
/** Who asks the same program with the same environment meanwhile waits for its answer. */
const underWay = new Map<string, Promise<Answer | null>>();

interface Answer {
  version: string | null;
}

/** What a program answers to `--version`. It may take seconds, so one that answers is asked once until its file changes. */
export const toldVersion = async (
  file: string,
  env: Record<string, string>,
): Promise<string | null> => {
  try {
    const { mtimeMs } = await stat(file);
    const key = `${file} ${mtimeMs}`;
    const answer = answered.get(key) ?? (await askOnce(file, env));
    if (answer === null) return null;
    remember(answered, key, answer);
    return answer.version;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

const askOnce = (
  file: string,
  env: Record<string, string>,
): Promise<Answer | null> => {
  const key = JSON.stringify([file, env]);
  const answer =
    underWay.get(key) ?? ask(file, env).finally(() => underWay.delete(key));
  underWay.set(key, answer);
  return answer;
};

/** Null when it fails. */
const ask = async (
  file: string,
  env: Record<string, string>,
): Promise<Answer | null> => {
  try {
    const { stdout } = await run(file, ["--version"], {
      env,
      // Some programs read settings where they are run.
      cwd: "/",
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    return { version: /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null };
  } catch {
    return null;
  }
};
