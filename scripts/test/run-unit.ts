/** Runs the files of a unit in one process, with a temporary directory of their own, and ends whatever they leave behind. */
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { CoreTime } from "./core-time.ts";
import { FILE_MARK } from "./load-files.ts";
import { endAll, findLeft } from "./left-behind.ts";
import { Line, type Outcome } from "./outcome.ts";
import { startUnit, type UnitOptions } from "./start-unit.ts";

/** Of a process: only one that something keeps alive after its last test comes near. On a quiet machine. */
const UNIT_LIMIT_MS = 600_000;
/** However slow the machine is: one that never ends must not keep the run from ending. */
const MAX_LIMIT_MS = 1_800_000;
/** What was told to end may need it, and so may output that is on its way. On a quiet machine. */
const GRACE_MS = 5_000;

export interface UnitResult {
  files: readonly string[];
  outcomes: Outcome[];
  /** What the files printed. */
  output: string;
  ms: number;
  /** What the processors did for it, when that was counted. */
  coreMs?: number;
}

export const runUnit = async (
  files: readonly string[],
  options: UnitOptions,
): Promise<UnitResult> => {
  const started = performance.now();
  const { limitMs = UNIT_LIMIT_MS } = options;
  // Beside the directory the tests see, so that no test can mistake it for its own.
  const report = `${options.tmp}.ndjson`;
  await mkdir(options.tmp, { mode: 0o711 });
  const child = startUnit(files, options, report);
  const counted = options.counts === true && child.pid !== undefined;
  const coreTime = counted ? CoreTime.of(child.pid) : null;
  const tooLong = AbortSignal.timeout(
    Math.min(limitMs * options.slowness, MAX_LIMIT_MS),
  );
  const limit = AbortSignal.any([options.signal, tooLong]);
  const endGroup = () => {
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(-child.pid, "SIGKILL");
  };
  limit.addEventListener("abort", endGroup, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const closed = once(child, "close").then(() => true);
  await once(child, "exit");
  limit.removeEventListener("abort", endGroup);

  const said = await readLines(report);
  const outcomes = [
    ...said.filter((each) => each.type !== "began"),
    ...(await leftBehind(options)),
  ];
  const grace = wait(GRACE_MS * options.slowness, false, { ref: false });
  if (!(await Promise.race([closed, grace]))) {
    child.stdout?.destroy();
    child.stderr?.destroy();
    outcomes.push(left("a process that nothing identifies holds its output"));
  }
  const wrong = wrongEnd({
    outcomes,
    code: child.exitCode,
    stopped: limit.aborted ? stoppedWords(said, tooLong.aborted) : null,
    filtered: options.grep !== undefined,
  });
  if (wrong !== null)
    outcomes.push({ type: "failed", name: "(the file)", ms: 0, error: wrong });
  const ms = performance.now() - started;
  if (coreTime === null) return { files, outcomes, output, ms };
  using time = coreTime;
  return { files, outcomes, output, ms, coreMs: time.read() };
};

const readLines = async (report: string): Promise<Line[]> => {
  const text = await readFile(report, "utf8").catch(() => "");
  // The last line of a process that was killed may be half a line.
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Line.parse(JSON.parse(line)));
};

const leftBehind = async ({
  tmp,
  slowness,
}: UnitOptions): Promise<Outcome[]> => {
  const found = await findLeft(tmp, GRACE_MS * slowness);
  endAll(found);
  return found.map(({ pid, command }) =>
    left(`process ${pid} ran on after the tests and was killed: ${command}`),
  );
};

const left = (error: string): Outcome => ({
  type: "failed",
  name: "(left behind)",
  ms: 0,
  error,
});

/** What it was doing: tests that began and are not heard of again. */
const stoppedWords = (said: readonly Line[], tooLong: boolean): string => {
  const over = said
    .filter((each) => each.type !== "began")
    .map(({ name }) => name.split(" › ").at(-1));
  const running = said
    .filter((each) => each.type === "began")
    .map(({ name }) => name)
    .filter((name) => !over.includes(name) && !name.startsWith(FILE_MARK));
  const doing =
    running.length === 0
      ? "after its last test"
      : `while it ran: ${running.join(", ")}`;
  return `it was stopped${tooLong ? ", for it took too long," : ""} ${doing}`;
};

/** What is wrong with a unit beyond its tests, if anything. */
const wrongEnd = (end: {
  outcomes: readonly Outcome[];
  code: number | null;
  stopped: string | null;
  filtered: boolean;
}): string | null => {
  if (end.stopped !== null) return end.stopped;
  const failed = end.outcomes.some(({ type }) => type === "failed");
  if (end.code !== 0 && !failed)
    return `it ended with ${end.code ?? "a signal"} although no test failed`;
  if (end.outcomes.length === 0 && !end.filtered) return "it holds no test";
  return null;
};
