/** A reporter for node:test: every test's outcome as a line of JSON, and what begins. */
import type { EventData } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { FILE_MARK } from "./load-files.ts";
import type { Line, Outcome } from "./outcome.ts";

export default async function* reporter(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const path: string[] = [];
  let file: { file?: string } = {};
  for await (const event of events) {
    // As it happens, where the others come in the order of the file.
    if (event.type === "test:dequeue" && event.data.type === "test")
      yield line({ type: "began", name: event.data.name });
    if (event.type === "test:start") {
      path.length = event.data.nesting;
      path.push(event.data.name);
      if (event.data.name.startsWith(FILE_MARK))
        file = { file: event.data.name.slice(FILE_MARK.length) };
    }
    if (event.type === "test:pass")
      yield line(withFile(passed(event.data, path), file));
    if (event.type === "test:fail")
      yield line(withFile(failed(event.data, path), file));
  }
}

const withFile = (
  outcome: Outcome | null,
  file: { file?: string },
): Outcome | null => (outcome === null ? null : { ...outcome, ...file });

/** A suite only groups its tests: it is no outcome of its own. */
const passed = (
  data: EventData.TestPass,
  path: readonly string[],
): Outcome | null => {
  if (data.details.type === "suite") return null;
  const base = baseOf(data, path);
  const left = data.skip ?? data.todo;
  if (left === undefined || left === false) return { type: "passed", ...base };
  const reason =
    typeof left === "string" && left !== "" ? left : "no reason given";
  return { type: "skipped", ...base, reason };
};

/** A suite fails by itself only when its own code does (a hook, say), not when its tests did. */
const failed = (
  data: EventData.TestFail,
  path: readonly string[],
): Outcome | null => {
  const { error, type } = data.details;
  const bySubtests =
    "failureType" in error && error.failureType === "subtestsFailed";
  if (type === "suite" && bySubtests) return null;
  const cause = error.cause ?? error;
  return {
    type: "failed",
    ...baseOf(data, path),
    error: typeof cause === "string" ? cause : inspect(cause, { depth: 8 }),
  };
};

const baseOf = (
  data: EventData.TestPass | EventData.TestFail,
  path: readonly string[],
): { name: string; ms: number } => ({
  name: [...path.slice(0, data.nesting), data.name].join(" › "),
  ms: data.details.duration_ms,
});

const line = (said: Line | null): string =>
  said === null ? "" : JSON.stringify(said) + "\n";
