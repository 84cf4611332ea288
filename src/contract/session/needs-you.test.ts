import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "../agent/permission.ts";
import { PermissionId, PromptId, SessionId } from "../base/id.ts";
import { needsYou, type Standing } from "./needs-you.ts";
import { NO_QUOTA } from "./quota.ts";

const session_id = SessionId.parse("ses_00000000000000000000000001");
const prompt = {
  id: PromptId.parse("prm_00000000000000000000000001"),
  session_id,
  turn: 1,
};
const cut = { ...prompt, state: "interrupted" } as const;
const uncertain = { ...prompt, state: "uncertain" } as const;
const queued = { ...prompt, state: "queued", text: "go" } as const;
const question: Permission = {
  id: PermissionId.parse("per_1_0"),
  turn: 1,
  title: "May I?",
  tool_kind: null,
  options: [],
  state: "pending",
};
const reached = {
  limits: { turns: 1 },
  spent: { turns: 1, minutes: 0, tokens: null, cost: null },
  reached: "turns",
} as const;
const nextAgent = { ...NO_QUOTA, next_agent: { at: null } };

const CASES: Record<string, [Partial<Standing>, boolean]> = {
  "nothing waits": [{}, false],
  "its agent asks": [{ pending_permissions: [question] }, true],
  "a turn was cut off": [
    { unresolved_prompts: [{ ...cut, goes_on: null }] },
    true,
  ],
  "a server of an older release does not say whether it goes on": [
    { unresolved_prompts: [cut] },
    true,
  ],
  "it goes on by itself": [
    { unresolved_prompts: [{ ...cut, goes_on: { at: null } }] },
    false,
  ],
  "one of two goes on": [
    {
      unresolved_prompts: [
        { ...uncertain, goes_on: null },
        { ...cut, goes_on: { at: null } },
      ],
    },
    true,
  ],
  "nobody knows whether the agent got a prompt": [
    { unresolved_prompts: [{ ...uncertain, goes_on: null }] },
    true,
  ],
  "it is in ERROR": [{ state: "ERROR" }, true],
  "it is in ERROR and another agent is to come": [
    {
      state: "ERROR",
      quota: nextAgent,
      unresolved_prompts: [{ ...cut, goes_on: null }],
    },
    false,
  ],
  "its budget is used up": [{ budget: reached }, false],
  "its budget is used up and a prompt waits": [
    { budget: reached, queued_prompts: [queued] },
    true,
  ],
  "a prompt waits": [{ queued_prompts: [queued], budget: null }, false],
  "it has ended": [
    {
      state: "CANCELLED",
      status: "ended",
      unresolved_prompts: [{ ...cut, goes_on: null }],
    },
    false,
  ],
};

for (const [when, [more, is]] of Object.entries(CASES))
  void test(`[API-172] a session needs ${is ? "somebody" : "nobody"}: ${when}`, () => {
    const standing: Standing = {
      state: "PAUSED",
      status: "paused",
      pending_permissions: [],
      unresolved_prompts: [],
      ...more,
    };
    assert.equal(needsYou(standing), is);
  });
