import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError } from "../../contract/link-error.ts";
import { RepriseError } from "../../contract/problem.ts";
import { classified } from "./failure.ts";

const failed = (code: string): Error =>
  Object.assign(new Error(`${code}: it failed`), { code });

test("failures of the file system have the code a caller can act on, and the place", () => {
  for (const [errno, code] of [
    ["ENOSPC", "storage_full"],
    ["EDQUOT", "storage_full"],
    ["EROFS", "storage_unavailable"],
    ["EACCES", "storage_unavailable"],
    ["ENOTDIR", "agentctl_unavailable"],
  ] as const) {
    const cause = failed(errno);
    const error = classified(cause, "/home/ada/.reprise/agentctl");
    assert.ok(error instanceof RepriseError);
    assert.equal(error.code, code);
    assert.equal(error.cause, cause);
    assert.match(error.message, /\/home\/ada\/\.reprise\/agentctl/);
  }
});

test("what is classified already stays as it is", () => {
  for (const error of [
    new RepriseError("agentctl_unavailable", "gone"),
    new LinkError("term_superseded", "old"),
  ])
    assert.equal(classified(error, "/x"), error);
});
