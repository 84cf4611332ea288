import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { RepriseError, type ProblemCode } from "../../contract/problem.ts";
import type { NeededBySession, Store } from "../../runtime/ports/store.ts";

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

/** What is needed for the checkpoints of all sessions, in the order in which it is told. */
export const allNeeded = async (store: Store): Promise<NeededBySession[]> => {
  const all: NeededBySession[] = [];
  for await (const each of store.needed()) all.push(each);
  return all;
};
