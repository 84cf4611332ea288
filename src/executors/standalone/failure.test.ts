import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
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

test("[LNK-2] a token file without a token says what to do", () => {
  const cause = new UnusableFile("no_secret", "Remove the file.");
  const error = classified(cause, "/x");
  assert.ok(error instanceof RepriseError);
  assert.equal(error.code, "agentctl_unavailable");
  assert.equal(error.message, "Remove the file.");
});

test("what is classified already stays as it is", () => {
  for (const error of [
    new RepriseError("agentctl_unavailable", "gone"),
    new LinkError("term_superseded", "old"),
  ])
    assert.equal(classified(error, "/x"), error);
});
