import assert from "node:assert/strict";
import {
  type ProblemCode,
  RepriseError,
} from "../../src/contract/problem/problem.ts";

/** Resolves when the work is refused with this code. */
export const refused = (
  work: Promise<unknown>,
  code: ProblemCode,
): Promise<void> =>
  assert.rejects(
    work,
    (error) => error instanceof RepriseError && error.code === code,
    code,
  );
