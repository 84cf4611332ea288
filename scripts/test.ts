/**
 * `npm test`: every `*.test.ts` of the project, each file in a process and a temporary directory of its own, or with other
 * light ones of its room. The longest begin first.
 *
 *   npm test                     everything
 *   npm test -- src/store        files under a path
 *   npm test -- --grep P2        tests whose name holds these words
 *   npm test -- --jobs 1         one at a time
 *   npm test -- --record         and write down what they took, for the order of the next runs
 *   npm test -- --cores          and tell what the processors did for each process (root on Linux)
 *   npm test -- --times FILE     and write down which files and tests took longest
 *   npm run test:fast            all that is quick, and one walk through the whole product
 *   npm run test:busy            with two busy loops per core beside it
 *
 * The last line is always `N passed, N failed, N skipped`. A file without tests, a path without files, a process left
 * behind, a run that finds nothing and, in CI, a skipped test are failures.
 */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { startBusyLoops } from "./test/busy-loops.ts";
import { between, machineTime } from "./test/cpu.ts";
import { quickOnes } from "./test/fast.ts";
import { findTests, under } from "./test/find-tests.ts";
import { prepareProduct } from "./test/prepare-product.ts";
import { describeCost, describeRun, tally } from "./test/report.ts";
import { runAll } from "./test/run-all.ts";
import { Slowness } from "./test/slowness.ts";
import { recordTimes, Times } from "./test/times.ts";
import { describeTimes } from "./test/time-report.ts";
import { unitsOf } from "./test/units.ts";

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: "string" },
    jobs: { type: "string" },
    fast: { type: "boolean", default: false },
    busy: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    cores: { type: "boolean", default: false },
    times: { type: "string" },
  },
});

const began = performance.now();
const root = resolve(import.meta.dirname, "..");
const inCi = process.env["CI"] === "true";
const cores = availableParallelism();
const jobs = options.jobs === undefined ? 4 * cores : Number(options.jobs);
const times = await Times.read();
const all = await findTests(root);
const chosen = under(paths, all);
const files = options.fast ? quickOnes(root, chosen, times) : chosen;
const barren = paths.filter((path) => under([path], all).length === 0);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interrupted.abort());

await using cleanup = new AsyncDisposableStack();
if (options.busy) cleanup.use(await startBusyLoops());
const slowness = await Slowness.start();
cleanup.defer(() => slowness.stop());
const machineBefore = machineTime();

const { results, slowest } = await runAll({
  root,
  units: await unitsOf(root, files, times),
  places: { cores, jobs },
  grep: options.grep,
  slowness,
  env: await prepareProduct(root),
  counts: options.cores,
  signal: interrupted.signal,
});

const counts = tally(results);
const nothingRan = counts.passed + counts.failed + counts.skipped === 0;
console.log(describeRun(results, root));
console.log(
  describeCost({
    ms: performance.now() - began,
    machine: between(machineBefore, machineTime()),
    slowness: slowest,
  }),
);
if (options.times !== undefined)
  await writeFile(options.times, describeTimes(results, root));
if (options.record && counts.failed === 0) await recordTimes(root, results);
for (const path of barren) console.log(`There is no test at ${path}.`);
if (nothingRan) console.log("There was no test to run.");
if (inCi && counts.skipped > 0) console.log("In CI no test may be skipped.");
console.log(
  `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
);
if (interrupted.signal.aborted) process.exitCode = 130;
else if (counts.failed > 0 || nothingRan || barren.length > 0)
  process.exitCode = 1;
else if (inCi && counts.skipped > 0) process.exitCode = 1;
