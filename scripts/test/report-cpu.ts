/** Loaded before the tests of a process: at its end it leaves how much processor time it used, and all that it waited for. */
import { readFileSync, writeFileSync } from "node:fs";

const report = process.env["TEST_CPU_REPORT"];
delete process.env["TEST_CPU_REPORT"];

process.once("exit", () => {
  if (report === undefined || process.platform !== "linux") return;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime, stime, cutime and cstime, in hundredths of a second.
  const ticks = fields
    .slice(11, 15)
    .reduce((sum, each) => sum + Number(each), 0);
  writeFileSync(report, String(ticks * 10));
});
