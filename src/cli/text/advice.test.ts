import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { adviceFor } from "./advice.ts";

test("a server that refuses the token is answered with where a token is given", () => {
  const advice = adviceFor(new RepriseError("unauthorized", "no"));
  assert.match(advice ?? "", /REPRISE_TOKEN/);
});

test("most errors say themselves what to do", () => {
  const error = new RepriseError("wrong_state", "no");
  assert.equal(adviceFor(error), null);
});

test("[API-124] a restriction that is not held is answered with what can be asked for instead", () => {
  const error = new RepriseError("restriction_not_held", "no", {
    restriction: {
      what: "mode",
      asked: "readonly",
      reason: "not_offered",
      valid: ["read-only"],
      message: null,
    },
  });
  assert.equal(
    adviceFor(error),
    "Say it again with one of: --mode read-only · --without mode",
  );
});

test("[API-120] what the server refuses in its own words is answered with the command that helps", () => {
  const advice = (code: ProblemCode, more = {}) =>
    adviceFor(new RepriseError(code, "no", more));
  assert.match(advice("session_ended") ?? "", /session fork ID/);
  assert.match(advice("session_deleted") ?? "", /session undelete ID/);
  assert.match(advice("checkpoint_not_found") ?? "", /session checkpoints ID/);
  assert.match(
    advice("resume_failed", { reason: "agent_not_installed" }) ?? "",
    /`reprise agents`/,
  );
});

test("[API-120] the session that was named stands in the command, ready to be pasted", () => {
  const error = new RepriseError("session_damaged", "no");
  const words = adviceFor(error, { kind: "session", id: "ses_01jm" });
  assert.match(words ?? "", /`reprise session fork ses_01jm TURN`/);
  assert.match(words ?? "", /`reprise session recover ses_01jm`/);
  assert.doesNotMatch(words ?? "", /\bID\b/);
});

test("[API-185] a budget that is used up is answered with the one command that raises it", () => {
  const error = new RepriseError("budget_reached", "no");
  const of = (kind: "session" | "task") => adviceFor(error, { kind, id: "x" });
  assert.match(
    of("session") ?? "",
    /^`reprise session set x --budget \S+` raises it\.$/,
  );
  assert.match(
    of("task") ?? "",
    /^`reprise task update x --budget \S+` raises it\.$/,
  );
  assert.match(adviceFor(error) ?? "", /session set ID .* task update TASK /);
});
