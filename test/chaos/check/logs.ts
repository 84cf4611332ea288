import { join } from "node:path";
import { readIfThere } from "../../../src/kit/files/durable-file.ts";
import type { ChaosHouse } from "../house.ts";
import type { Violations } from "../violation.ts";

/** pino's number for an error. */
const ERROR = 50;

/** Nothing went wrong that nobody had foreseen: no errors in the server's log, no stack trace from agentctl. */
export const checkLogs = async (
  { home }: ChaosHouse,
  violations: Violations,
): Promise<void> => {
  const log = (await readIfThere(join(home, "server.log"))) ?? "";
  const errors = new Map<string, { times: number; line: string }>();
  for (const line of log.split("\n")) {
    const { level, msg, err } = parsed(line);
    if (level === undefined || level < ERROR) continue;
    // Ids in the words would make every error another one.
    const words = `${msg}: ${err?.message?.replaceAll(/_[0-9a-z]{26}/g, "")}`;
    const { times, line: first } = errors.get(words) ?? { times: 0, line };
    errors.set(words, { times: times + 1, line: first });
  }
  for (const { times, line } of errors.values())
    violations.add(
      "log",
      null,
      `the server logged ${times} times: ${line.slice(0, 1500)}`,
    );
  const printed =
    (await readIfThere(join(home, "agentctl", "agentctl.out"))) ?? "";
  if (/^\s+at /m.test(printed))
    violations.add("log", null, `agentctl printed: ${printed.slice(-1500)}`);
};

/** The last line of a killed server may be half a line. */
const parsed = (
  line: string,
): { level?: number; msg?: string; err?: { message?: string } } => {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
};
