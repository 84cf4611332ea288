import assert from "node:assert/strict";
import { test } from "node:test";
import { limitOf, limitInUpdate } from "./agent/limit.ts";
import { agentOf } from "./registry.ts";

/** As the real programs answer. */
const internal = (data?: unknown, message = "Internal error") => ({
  code: -32603,
  message,
  data,
});

test("[P9] each agent's way of not knowing a session is known, and nothing else is taken for it", () => {
  const missing = { code: -32002, message: "Resource not found" };
  const unknown = {
    claude: missing,
    codex: internal({ details: "no rollout found for thread id 01a1dd9d" }),
    gemini: internal({
      details: "No previous sessions found for this project.",
    }),
    copilot: missing,
    opencode: missing,
    auggie: missing,
    amp: missing,
  };
  for (const [id, error] of Object.entries(unknown)) {
    const agent = agentOf(id);
    assert.equal(agent?.isUnknownSession?.(error), true, id);
    assert.equal(agent.isUnknownSession(internal()), false, id);
    const other = internal({ details: "the disk is full" });
    assert.equal(agent.isUnknownSession(other), false, id);
  }
});

test("a quota that is used up is told from other errors", () => {
  const none = { resets_at: null };
  assert.deepEqual(limitOf({ code: 429, message: "exhausted" }), none);
  assert.deepEqual(limitOf(internal({ errorKind: "rate_limit" })), none);
  assert.deepEqual(
    limitOf(
      internal({
        codexErrorInfo: "usageLimitExceeded",
        resetsAt: 1794720000,
      }),
    ),
    { resets_at: "2026-11-15T05:20:00.000Z" },
  );
  for (const data of [undefined, "text", { errorKind: "overloaded" }])
    assert.equal(limitOf(internal(data)), null);
});

test("Claude tells beside its tokens when a quota is filled again", () => {
  const told = (info: object) => limitInUpdate({ "_claude/rateLimit": info });
  assert.deepEqual(told({ status: "rejected", resetsAt: 1794720000 }), {
    resets_at: "2026-11-15T05:20:00.000Z",
  });
  assert.deepEqual(told({ status: "rejected" }), { resets_at: null });
  assert.equal(told({ status: "allowed_warning", resetsAt: 1794720000 }), null);
  assert.equal(limitInUpdate(undefined), null);
});
