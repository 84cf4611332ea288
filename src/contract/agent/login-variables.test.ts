import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialVariablesOf } from "./login-variables.ts";

test("[SES-61] whose account a service of the cloud is used with counts where that service is chosen", () => {
  const names = (env: Record<string, string>) =>
    credentialVariablesOf("claude", env);
  assert.ok(names({}).includes("ANTHROPIC_API_KEY"));
  assert.ok(!names({ AWS_PROFILE: "mine" }).includes("AWS_PROFILE"));
  assert.ok(names({ CLAUDE_CODE_USE_BEDROCK: "1" }).includes("AWS_PROFILE"));
  assert.deepEqual(credentialVariablesOf("demo", { AWS_PROFILE: "mine" }), []);
});
