import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { type FailureKind, failureKind } from "./failure-kind.ts";

const kinds: Record<FailureKind, Error[]> = {
  passing: [
    new RepriseError("storage_full", ""),
    new RepriseError("storage_unavailable", ""),
    new RepriseError("agentctl_unavailable", ""),
    new RepriseError("timed_out", ""),
    new RepriseError("moved_on", ""),
    new LinkError("storage_full", ""),
  ],
  left: [
    new RepriseError("superseded", ""),
    new RepriseError("session_not_found", ""),
  ],
  damaged: [
    new RepriseError("session_damaged", ""),
    new RepriseError("storage_damaged", ""),
  ],
  refused: [
    new RepriseError("wrong_state", ""),
    new RepriseError("prompt_not_found", ""),
  ],
  fault: [
    new RepriseError("internal", ""),
    new LinkError("internal", ""),
    new TypeError("no function"),
  ],
};

for (const [kind, errors] of Object.entries(kinds))
  test(`[REC-94] what failed and is ${kind}`, () => {
    for (const error of errors) assert.equal(failureKind(error), kind);
  });
