/**
 * Processes that outlive the test file that started them. A detached agentctl or an agent in a session of its own has
 * no parent and no group to be found by, but its environment, command, working directory or standard streams name the
 * file's temporary directory. Nothing else is looked at: a Reprise in use on this machine is none of our business.
 */
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
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

const findOnce = async (tmp: string): Promise<Left[]> =>
  process.platform === "linux" ? findInProc(tmp) : findByPs(tmp);

/**
 * Only those that are younger than we are: whatever a test started is. What the kernel says about a process is there at
 * once, and asking for it on another thread takes several times as long.
 */
const findInProc = (tmp: string): Left[] => {
  const since = startOf("self");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && startOf(name) >= since)
    .flatMap((pid) => {
      const at = `/proc/${pid}`;
      const command = contentOf(`${at}/cmdline`);
      const isOurs =
        names(command, tmp) ||
        names(contentOf(`${at}/environ`), tmp) ||
        ["cwd", "fd/0", "fd/1", "fd/2"].some((link) =>
          names(targetOf(`${at}/${link}`), tmp),
        );
      if (!isOurs) return [];
      const words = command.replaceAll("\0", " ").trim();
      return { pid: Number(pid), command: words || "(unknown)" };
    });
};

/** In ticks since the machine started; the name of a process may hold anything, also brackets and blanks. */
const startOf = (pid: string): number => {
  const stat = contentOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
};

/** Empty when the process has ended meanwhile. */
const contentOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

const targetOf = (link: string): string => {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
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
