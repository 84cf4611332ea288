import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import type { PermissionRule } from "../../contract/agent/permission.ts";
import type { PromptLimits } from "../../contract/agent/prompt-limits.ts";
import { answerByPolicy } from "./policy.ts";
import type { Asking } from "./said-of-call.ts";

const session = (rules: Partial<AgentDefinition> = {}): AgentDefinition => ({
  agent: "demo",
  home: "user",
  env_names: [],
  ...rules,
});

const asking = (overrides: Partial<Asking> = {}): Asking => ({
  title: "git status",
  tool_kind: "execute",
  tool_name: "Bash",
  detail: "git status --short",
  options: [
    { id: "yes", name: "Yes", kind: "allow_once" },
    { id: "no", name: "No", kind: "reject_once" },
  ],
  ...overrides,
});

const policy = (
  word: "ask" | "allow-read" | "allow-all",
  ...rules: PermissionRule[]
) => ({ default: word, rules });

const answer = (
  definition: Partial<AgentDefinition>,
  limits: PromptLimits,
  said: Partial<Asking> = {},
): string | null =>
  answerByPolicy(session(definition), asking(said), null, limits);

const allowAll = { permissions: policy("allow-all") };

test("[SES-100] a prompt's limits of tools deny what the session allows", () => {
  assert.equal(answer(allowAll, {}), "yes");
  assert.equal(answer(allowAll, { disallowed_tools: ["Bash"] }), "no");
  assert.equal(answer(allowAll, { allowed_tools: ["Read"] }), "no");
  assert.equal(answer(allowAll, { allowed_tools: [] }), "no");
  assert.equal(answer(allowAll, { allowed_tools: ["Bash(git *)"] }), "yes");
  assert.equal(answer(allowAll, { disallowed_tools: ["Bash(rm *)"] }), "yes");
});

test("[SES-100] an allowed tool of a prompt is asked for as it was before", () => {
  assert.equal(answer({}, { allowed_tools: ["Bash"] }), null);
  assert.equal(
    answer({ allowed_tools: ["Read"] }, { allowed_tools: ["Bash"] }),
    "no",
    "the session does not allow it",
  );
});

test("[SES-100] a prompt's permissions stand for the session's, but what the session denies stays denied", () => {
  const all = { permissions: policy("allow-all") };
  assert.equal(answer({}, all), "yes");
  assert.equal(answer({ disallowed_tools: ["Bash"] }, all), "no");
  assert.equal(
    answer(
      { permissions: policy("ask", { tool: "Bash(git *)", answer: "deny" }) },
      all,
    ),
    "no",
  );
  assert.equal(
    answer(
      { permissions: policy("ask", { tool: "Bash", answer: "ask" }) },
      all,
    ),
    "yes",
    "asking may be loosened",
  );
  assert.equal(answer(allowAll, { permissions: policy("ask") }), null);
  assert.equal(
    answer(allowAll, {
      permissions: policy("allow-all", { tool: "Bash", answer: "deny" }),
    }),
    "no",
  );
});

test("[SES-100] where nobody knows whether the session denies it, a person is asked whatever the prompt allows", () => {
  const unclear = { detail: 'bash -c "$X"' };
  const denies = { disallowed_tools: ["Bash(rm *)"] };
  const all = { permissions: policy("allow-all") };
  assert.equal(answer(denies, all, unclear), null);
  assert.equal(answer(allowAll, denies, unclear), null);
  assert.equal(answer({}, { ...all, ...denies }, unclear), null);
});
