import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentId } from "../../contract/agent/agent.ts";
import { PromptId, SessionId } from "../../contract/base/id.ts";
import { NO_QUOTA } from "../../contract/session/quota.ts";
import { HeldPrompts } from "./held.ts";

const promptId = (n: number): PromptId =>
  PromptId.parse(`prm_${String(n).padStart(26, "0")}`);

const [ONE, TWO] = [promptId(1), promptId(2)];
const NOON = "2026-01-01T12:00:00.000Z";
const NIGHT = "2026-01-01T23:00:00.000Z";

const sessionWith = (until: string | null, ...queue: PromptId[]) => ({
  id: SessionId.parse("ses_00000000000000000000000000"),
  agent: AgentId.parse("demo"),
  quota: { ...NO_QUOTA, prompts_wait_until: until },
  queued_prompts: queue.map((id) => ({ id })),
});

test("[ACP-36] each prompt of the client is told of once, and again when the time changes", () => {
  const held = new HeldPrompts();
  const toldOf = (
    own: PromptId[],
    until: string | null,
    ...queue: PromptId[]
  ) =>
    held.updates(sessionWith(until, ...queue), own, { seq: 7, notices: false })
      .length;
  assert.equal(toldOf([ONE], null, ONE), 0, "it waits for another turn");
  assert.equal(toldOf([ONE], NOON, TWO), 0, "that of somebody else waits");
  assert.ok(!held.isTold);
  assert.equal(toldOf([ONE], NOON, ONE), 1);
  assert.equal(toldOf([ONE], NOON, ONE, TWO), 0);
  assert.equal(toldOf([ONE, TWO], NOON, ONE, TWO), 1);
  assert.equal(toldOf([ONE, TWO], NIGHT, ONE, TWO), 1);
  assert.ok(held.isTold);
  assert.equal(toldOf([ONE, TWO], null, TWO), 0);
  assert.ok(!held.isTold);
  assert.equal(toldOf([TWO], NIGHT, TWO), 1, "it waits once more");
});
