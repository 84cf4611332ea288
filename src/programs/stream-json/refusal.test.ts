import assert from "node:assert/strict";
import { test } from "node:test";
import { limitOf } from "../../agents/agent/limit.ts";
import { refusalOf } from "./refusal.ts";

const refused = (failure: Parameters<typeof refusalOf>[0]["failure"]) =>
  refusalOf({ kind: "failed", failure, stderr: "last words" }, "s-1");

test("a quota that is used up is understood as one, with its end", () => {
  const message = "Request rejected";
  assert.deepEqual(
    limitOf(refused({ kind: "rate_limit", message, resetsAt: 1_790_000_000 })),
    { resets_at: "2026-09-21T14:13:20.000Z" },
  );
  assert.deepEqual(limitOf(refused({ kind: "rate_limit", message })), {
    resets_at: null,
  });
  assert.equal(limitOf(refused({ kind: "error", message })), null);
});

test("a missing login and an unknown session have ACP's codes; the CLI's last words go along", () => {
  const message = "no";
  assert.equal(refused({ kind: "not_logged_in", message }).code, -32000);
  const unknown = refused({ kind: "unknown_session", message });
  assert.equal(unknown.code, -32002);
  assert.deepEqual(unknown.data, { stderr: "last words", sessionId: "s-1" });
});
