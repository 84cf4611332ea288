import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { RepriseError, type ProblemCode } from "../../contract/problem.ts";
import type { Store } from "../../runtime/ports.ts";

export type StoreTest = Pick<TestContext, "after">;
export type OpenStore = (t: StoreTest) => Promise<Store>;

/** The promise is refused with this code, and says something. */
export const refused = (
  work: Promise<unknown>,
  code: ProblemCode,
): Promise<void> =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof RepriseError, String(error));
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.length > 10);
    return true;
  });
