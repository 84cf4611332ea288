import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerUnreachable } from "../../client/client.ts";
import {
  ProblemCode,
  RepriseError,
  problems,
} from "../../contract/problem/problem.ts";
import { exitCodeOf } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

const codeOf = (code: ProblemCode): number =>
  exitCodeOf(new RepriseError(code, "x"));

test("every problem has an exit code that fits its status", () => {
  for (const code of ProblemCode.options) {
    const [status] = problems[code];
    const exit = codeOf(code);
    assert.ok(exit >= 1 && exit <= 4, code);
    if (status === 404) assert.equal(exit, 3, code);
    if (status === 410) assert.equal(exit, 4, code);
    if (status === 409 && code !== "resume_failed") assert.equal(exit, 4, code);
    if (status >= 500) assert.equal(exit, 1, code);
  }
});

test("the exit codes that are no problems of the server's", () => {
  assert.equal(exitCodeOf(new UsageError("x")), 2);
  assert.equal(exitCodeOf(new ServerUnreachable("http://x", "x")), 5);
  assert.equal(exitCodeOf(new Error("x")), 1);
  assert.equal(exitCodeOf("x"), 1);
});
