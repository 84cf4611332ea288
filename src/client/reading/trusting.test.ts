import assert from "node:assert/strict";
import { test } from "node:test";
import { problemOf, RepriseError } from "../../contract/problem/problem.ts";
import { trusting } from "./trusting.ts";

test("[PAG-220] a problem is the server's only where its type says so: a proxy in its place refuses nothing", () => {
  const problem = problemOf(new RepriseError("wrong_state", "Not now."));
  assert.deepEqual(trusting.problem(problem, 409), problem);
  for (const foreign of [
    null,
    "text",
    {},
    { code: "bad_gateway", detail: "The server does not answer." },
    { ...problem, type: "about:blank" },
    { ...problem, type: undefined },
    { ...problem, code: 502 },
    { ...problem, detail: null },
  ])
    assert.equal(trusting.problem(foreign, 502), null);
});
