import type { z } from "zod";
import { RepriseError } from "../../contract/problem/problem.ts";

const MAX_ISSUES = 20;
const LONGEST_MESSAGE = 300;

/** The value as the contract has it, or `invalid_request` with what is wrong, field by field. */
export const parse = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
): z.output<S> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Both are bounded: the request decides how many there are and how long.
  const issues = parsed.error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message.slice(0, LONGEST_MESSAGE),
  }));
  const [first] = issues;
  throw new RepriseError(
    "invalid_request",
    `${what}${first?.path ? ` (${first.path})` : ""}: ${first?.message ?? "does not fit"}.`,
    { issues },
  );
};
