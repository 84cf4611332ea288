import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { endAll, findLeft } from "./left-behind.ts";
import { Outcome } from "./outcome.ts";

/** Of one test, unless it sets its own. */
const testLimitMs = 120_000;
/** Of one file: only a file that something keeps alive after its last test comes near. */
const fileLimitMs = 600_000;

/**
 * Loaded before each test file: what one process has compiled, the next one need not. Nothing that a test starts
 * inherits it, and it is no TypeScript itself, so that where all is compiled nobody loads a compiler.
 */
const keepCompiled = `data:text/javascript,${encodeURIComponent(
  `import { enableCompileCache } from "node:module";
  enableCompileCache(${JSON.stringify(resolve(import.meta.dirname, "../../node_modules/.cache/tests"))});`,
)}`;

export interface FileResult {
  file: string;
  outcomes: Outcome[];
  /** What the file printed. */
  output: string;
  ms: number;
}

/** Runs one test file in its own process, with its own temporary directory, and ends whatever it leaves behind. */
export const runFile = async (
  file: string,
  options: { tmp: string; grep: string | undefined; signal: AbortSignal },
): Promise<FileResult> => {
  const started = performance.now();
  // Beside the directory the tests see, so that no test can mistake it for its own.
  const report = `${options.tmp}.ndjson`;
  await mkdir(options.tmp, { mode: 0o711 });
  const child = spawn(
    process.execPath,
    [
      `--import=${keepCompiled}`,
      `--test-timeout=${testLimitMs}`,
      `--test-reporter=${join(import.meta.dirname, "reporter.ts")}`,
      `--test-reporter-destination=${report}`,
      ...(options.grep === undefined
        ? []
        : [`--test-name-pattern=${RegExp.escape(options.grep)}`]),
      file,
    ],
    {
      env: environment(options.tmp),
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: Ctrl-C reaches the runner alone, which then ends the group.
      detached: true,
    },
  );
  const limit = AbortSignal.any([
    options.signal,
    AbortSignal.timeout(fileLimitMs),
  ]);
  const endGroup = () => {
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(-child.pid, "SIGKILL");
  };
  limit.addEventListener("abort", endGroup, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  const closed = once(child, "close").then(() => true);
  await once(child, "exit");
  limit.removeEventListener("abort", endGroup);

  const outcomes = [
    ...(await readOutcomes(report)),
    ...(await leftBehind(options.tmp)),
  ];
  if (!(await Promise.race([closed, wait(2_000, false, { ref: false })]))) {
    child.stdout.destroy();
    child.stderr.destroy();
    outcomes.push(left("a process that nothing identifies holds its output"));
  }
  const wrong = wrongEnd({
    outcomes,
    code: child.exitCode,
    killed: limit.aborted,
    filtered: options.grep !== undefined,
  });
  if (wrong !== null)
    outcomes.push({ type: "failed", name: "(the file)", ms: 0, error: wrong });
  return { file, outcomes, output, ms: performance.now() - started };
};

/** Tests see nothing of a Reprise that this machine uses, nor of a session that this very run is part of. */
const environment = (tmp: string): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env))
    if (!/^(REPRISE_|DEMO_|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name))
      env[name] = value;
  return { ...env, TMPDIR: tmp };
};

const readOutcomes = async (report: string): Promise<Outcome[]> => {
  const lines = await readFile(report, "utf8").catch(() => "");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Outcome.parse(JSON.parse(line)));
};

const leftBehind = async (tmp: string): Promise<Outcome[]> => {
  const found = await findLeft(tmp);
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

/** What is wrong with a file beyond its tests, if anything. */
const wrongEnd = (end: {
  outcomes: readonly Outcome[];
  code: number | null;
  killed: boolean;
  filtered: boolean;
}): string | null => {
  if (end.killed) return "it was stopped before it ended";
  const failed = end.outcomes.some(({ type }) => type === "failed");
  if (end.code !== 0 && !failed)
    return `it ended with ${end.code ?? "a signal"} although no test failed`;
  if (end.outcomes.length === 0 && !end.filtered) return "it holds no test";
  return null;
};
