import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookView } from "../../contract/api/webhook-route.ts";
import { SessionId } from "../../contract/base/id.ts";
import { checkWebhooks } from "./webhooks.ts";

const fine: WebhookView = {
  id: "ci",
  kind: "webhook",
  url: "https://example.com/hook",
  events: ["session.turn.ended"],
  state: "on",
  problem: null,
  off_at: null,
  waiting: 0,
  failing: 0,
  passed_over: 0,
  last: null,
};
const AT = "2026-01-02T03:04:05.000Z";

const wordsFor = (webhook: Partial<WebhookView>): string[] =>
  checkWebhooks([{ ...fine, ...webhook }]).map(
    ({ verdict, words, fix }) => `${verdict}: ${words} | ${fix ?? ""}`,
  );

void test("[WHK-18] doctor warns of webhooks that are off, unusable, passed events over or could not be reached, and of no others", () => {
  assert.deepEqual(checkWebhooks([]), []);
  assert.deepEqual(wordsFor({}), ["ok: ci | "]);
  const off = wordsFor({ state: "off", off_at: AT, problem: "It was 410." });
  assert.deepEqual(off, [
    "warn: ci is switched off: It was 410. | reprise webhook on ci",
  ]);
  const unusable = wordsFor({ state: "unusable", problem: "No secret." });
  assert.deepEqual(unusable, ["warn: ci cannot be used: No secret. | "]);
  assert.match(wordsFor({ passed_over: 3 })[0] ?? "", /warn: .*3 events/);
  const last = {
    webhook: "ci",
    session_id: SessionId.parse(`ses_${"0".repeat(26)}`),
    task_id: null,
    after_seq: 1,
    to_seq: 2,
    failures: 1,
    next_at: AT,
    passed_over: 0,
    last: {
      seq: 2,
      at: AT,
      outcome: "failed" as const,
      status: 500,
      error: "the answer\u001b[2J was 500",
    },
  };
  const [failed = ""] = wordsFor({ waiting: 1, failing: 1, last });
  assert.match(failed, /warn: ci could not be reached: the answer.* was 500/);
  assert.ok(!failed.includes("\u001b"));
});
