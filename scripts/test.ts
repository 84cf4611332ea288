/**
 * `npm test`: every `*.test.ts` of the project, each file in a process and a temporary directory of its own.
 *
 *   npm test                     everything
 *   npm test -- src/store        files under a path
 *   npm test -- --grep P2        tests whose name holds these words
 *
 * The last line is always `N passed, N failed, N skipped`. A file without tests, a path without files, a process left
 * behind, a run that finds nothing and, in CI, a skipped test are failures.
 */
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findTests, under } from "./test/find-tests.ts";
import { describeFile, describeRun, tally } from "./test/report.ts";
import { runFile, type FileResult } from "./test/run-file.ts";

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: "string" },
    jobs: { type: "string", default: "3" },
  },
});

const root = resolve(import.meta.dirname, "..");
const inCi = process.env["CI"] === "true";
const all = await findTests(root);
const files = under(paths, all);
const barren = paths.filter((path) => under([path], all).length === 0);
const scratch = await realpath(await mkdtemp(join(tmpdir(), "reprise-")));
// Tests that try something as another user must get to their own directory.
await chmod(scratch, 0o711);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interrupted.abort());

const results: FileResult[] = [];
const queue = files.entries();
const worker = async (): Promise<void> => {
  for (const [index, file] of queue) {
    if (interrupted.signal.aborted) return;
    const result = await runFile(file, {
      tmp: join(scratch, String(index)),
      grep: options.grep,
      signal: interrupted.signal,
    });
    results.push(result);
    console.log(describeFile(result, root));
  }
};

try {
  await Promise.all(Array.from({ length: Number(options.jobs) }, worker));
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
}

const counts = tally(results);
const nothingRan = counts.passed + counts.failed + counts.skipped === 0;
console.log(describeRun(results, root));
for (const path of barren) console.log(`There is no test at ${path}.\n`);
if (nothingRan) console.log("There was no test to run.\n");
if (inCi && counts.skipped > 0) console.log("In CI no test may be skipped.\n");
console.log(
  `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
);
if (interrupted.signal.aborted) process.exitCode = 130;
else if (counts.failed > 0 || nothingRan || barren.length > 0)
  process.exitCode = 1;
else if (inCi && counts.skipped > 0) process.exitCode = 1;
