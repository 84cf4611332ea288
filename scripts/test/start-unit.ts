/** Starts the process of a unit. */
import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { FILE_MARK } from "./load-files.ts";

export interface UnitOptions {
  tmp: string;
  grep: string | undefined;
  signal: AbortSignal;
  /** By how much the machine is slower than a quiet one. */
  slowness: number;
  /** What the tests get to know besides. */
  env: Readonly<Record<string, string>>;
  /** Whether to count what the processors do for it. */
  counts?: boolean;
  /** How long it may take on a quiet machine. */
  limitMs?: number;
}

/** Of one test, unless it sets its own; on a quiet machine. */
const TEST_LIMIT_MS = 120_000;

/**
 * Loaded before all else: what one process has compiled, the next one need not. Nothing that a test starts inherits it,
 * and it is no TypeScript itself, so that where all is compiled nobody loads a compiler.
 */
const keepCompiled = `data:text/javascript,${encodeURIComponent(
  `import { enableCompileCache } from "node:module";
  enableCompileCache(${JSON.stringify(resolve(import.meta.dirname, "../../node_modules/.cache/tests"))});`,
)}`;

export const startUnit = (
  files: readonly string[],
  { tmp, grep, slowness, env }: UnitOptions,
  report: string,
): ChildProcess => {
  const here = (name: string) => join(import.meta.dirname, name);
  const [only] = files;
  return spawn(
    process.execPath,
    [
      `--import=${keepCompiled}`,
      `--test-timeout=${Math.round(TEST_LIMIT_MS * slowness)}`,
      `--test-reporter=${here("reporter.ts")}`,
      `--test-reporter-destination=${report}`,
      ...(grep === undefined
        ? []
        : [grep, FILE_MARK].map(
            (words) => `--test-name-pattern=${RegExp.escape(words)}`,
          )),
      ...(files.length === 1 && only !== undefined
        ? [only]
        : [here("load-files.ts"), ...files]),
    ],
    {
      env: {
        ...environment(tmp),
        ...env,
        TEST_SLOWNESS: String(slowness),
      },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: Ctrl-C reaches the runner alone, which then ends the group.
      detached: true,
    },
  );
};

/** Tests see nothing of a Reprise that this machine uses, nor of a session that this very run is part of. */
const environment = (tmp: string): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env))
    if (!/^(REPRISE_|DEMO_|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/.test(name))
      env[name] = value;
  return { ...env, TMPDIR: tmp };
};
