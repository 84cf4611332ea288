/**
 * Processes that outlive the test file that started them. A detached agentctl or an agent in a session of its own has
 * no parent and no group to be found by, but its environment, command, working directory or standard streams name the
 * file's temporary directory. Nothing else is looked at: a Reprise in use on this machine is none of our business.
 */
import { execFile } from "node:child_process";
import { readFile, readdir, readlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

export interface Left {
  pid: number;
  command: string;
}

/** Those that are still there after a moment of grace: what was told to end may need it. */
export const findLeft = async (
  tmp: string,
  graceMs: number,
): Promise<Left[]> => {
  const deadline = performance.now() + graceMs;
  for (;;) {
    const left = await findOnce(tmp);
    if (left.length === 0 || performance.now() > deadline) return left;
    await wait(50);
  }
};

export const endAll = (left: readonly Left[]): void => {
  for (const { pid } of left)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
};

const findOnce = (tmp: string): Promise<Left[]> =>
  process.platform === "linux" ? findInProc(tmp) : findByPs(tmp);

const findInProc = async (tmp: string): Promise<Left[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Left | null> => {
      const at = `/proc/${pid}`;
      const traces = await Promise.all([
        readFile(`${at}/cmdline`, "utf8").catch(() => ""),
        readFile(`${at}/environ`, "utf8").catch(() => ""),
        ...["cwd", "fd/0", "fd/1", "fd/2"].map((link) =>
          readlink(`${at}/${link}`).catch(() => ""),
        ),
      ]);
      if (!traces.some((trace) => names(trace, tmp))) return null;
      const command = traces[0].replaceAll("\0", " ").trim();
      return { pid: Number(pid), command: command || "(unknown)" };
    }),
  );
  return found.filter((left) => left !== null);
};

/** Elsewhere `ps` shows the command and, with -E, the environment. */
const findByPs = async (tmp: string): Promise<Left[]> => {
  const { stdout } = await promisify(execFile)(
    "ps",
    ["-axwwE", "-o", "pid=,command="],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout
    .split("\n")
    .filter((line) => names(line, tmp))
    .map((line) => ({
      pid: Number.parseInt(line, 10),
      command: line.replace(/^\s*\d+\s+/, "").slice(0, 200),
    }))
    .filter(({ pid }) => pid !== process.pid);
};

/** `/tmp/x/1` but not `/tmp/x/12`. */
const names = (trace: string, tmp: string): boolean =>
  new RegExp(`${RegExp.escape(tmp)}(?![\\w.-])`).test(trace);
