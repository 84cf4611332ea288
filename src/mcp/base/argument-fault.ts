/** What is wrong with the arguments of a tool call, in words that say which argument, why, and what fits instead. */
import type * as z from "zod";
import { oneLine } from "./words.ts";

type Issue = z.core.$ZodIssue;

/** A model mends several mistakes at once when it is told of them at once; more than these help nobody. */
const MAX_TOLD = 3;

export const argumentFaults = (
  tool: string,
  input: z.ZodObject,
  given: unknown,
  { issues }: z.ZodError,
): string => {
  const told = issues
    .slice(0, MAX_TOLD)
    .map((issue) => faultOf(tool, given, issue));
  const isNameWrong = told.some(({ kind }) => kind === "name");
  return [
    ...told.map(({ words }) => words),
    ...(isNameWrong ? [takenBy(input)] : []),
  ].join(" ");
};

/** Where a name is wrong or missing it helps to know all that there are. */
interface Fault {
  kind: "name" | "value";
  words: string;
}

const faultOf = (tool: string, given: unknown, issue: Issue): Fault => {
  if (issue.code === "unrecognized_keys")
    return {
      kind: "name",
      words: `${tool} has no argument ${issue.keys.slice(0, 5).map(quoted).join(", ")}.`,
    };
  if (issue.path.length === 0)
    return {
      kind: "value",
      words: `${tool} takes its arguments as one object, not ${kindOf(given)}.`,
    };
  const name = issue.path.map(String).join(".");
  const value = valueAt(given, issue.path);
  if (value === undefined)
    return { kind: "name", words: `${tool} needs the argument ${name}.` };
  return {
    kind: "value",
    words: `The argument ${name} of ${tool} ${whyNot(issue, value)}.`,
  };
};

const takenBy = (input: z.ZodObject): string => {
  const missing = input.safeParse({}).error?.issues ?? [];
  const required = new Set(missing.map(({ path }) => path[0]));
  const names = Object.keys(input.shape).map((name) =>
    required.has(name) ? `${name} (required)` : name,
  );
  return names.length === 0
    ? "It takes none."
    : `It takes ${names.join(", ")}.`;
};

const whyNot = (issue: Issue, value: unknown): string => {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${named[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
    case "too_small":
      return `must ${sizeOf(issue.origin, "least", Number(issue.minimum))}`;
    case "too_big":
      return `must ${sizeOf(issue.origin, "most", Number(issue.maximum))}`;
    case "invalid_value":
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(" or ")}, not ${shown(value)}`;
    case "invalid_format":
      return `${issue.message}, and is ${shown(value)}`;
    default:
      return issue.message;
  }
};

const sizeOf = (
  origin: string,
  bound: "least" | "most",
  limit: number,
): string => {
  const amount = `at ${bound} ${limit}`;
  if (origin === "string")
    return limit === 1 && bound === "least"
      ? "not be empty"
      : `have ${amount} characters`;
  return origin === "array" ? `have ${amount} entries` : `be ${amount}`;
};

const named: Partial<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number")
    return Number.isFinite(value) ? String(value) : "a number without bounds";
  return named[typeof value] ?? typeof value;
};

const shown = (value: unknown): string =>
  typeof value === "string" ? quoted(value) : kindOf(value);

const quoted = (text: string): string => JSON.stringify(oneLine(text, 80));

/** Own fields only: what an object inherits was not given. */
const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown => {
  let value = given;
  for (const key of path)
    value =
      typeof value === "object" && value !== null
        ? Object.getOwnPropertyDescriptor(value, key)?.value
        : undefined;
  return value;
};
