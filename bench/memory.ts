import { execFileSync } from "node:child_process";

/** What a process holds of the machine's memory, in megabytes. */
export const residentMb = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)])) / 1024;
