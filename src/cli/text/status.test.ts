import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_QUOTA } from "../../contract/session/quota.ts";
import type { SessionStatus } from "../../contract/session/session.ts";
import { SESSION } from "../fixtures/sample.ts";
import { palette } from "../terminal/palette.ts";
import { statusText } from "./status.ts";

const status: SessionStatus = {
  session_id: SESSION,
  task_id: null,
  state: "RUNNING",
  agent_profile_id: "demo",
  executor_status: "ready",
  agent_execution_id: null,
  runtime: "standalone",
  is_agent_running: false,
  is_resumable: true,
  needs_resume: true,
  resume_reason: "agent_not_running",
  requires_new_session: false,
  checked_at: null,
  worktree_path: null,
  worktree_branch: null,
  error_message: null,
  usage: {
    input_tokens: 100,
    output_tokens: 7,
    total_tokens: 107,
    cached_tokens: 40,
  },
  context: { used_tokens: 120, size_tokens: 1000 },
  quota: NO_QUOTA,
  troubles: [
    {
      code: "agent_gone",
      text: "The agent is gone.",
    },
  ],
};

const NOW = new Date("2026-01-01T12:00:00Z");

test("[API-120] [REC-13] what does not fit stands right under the sentence", () => {
  const [first, second, third] = statusText(
    status,
    null,
    palette(false),
    "bin/reprise",
    NOW,
  ).split("\n");
  assert.match(
    first ?? "",
    new RegExp(`\`bin/reprise session resume ${SESSION}\``),
  );
  assert.equal(
    second,
    `! The agent is gone. Repair it with \`bin/reprise session recover ${SESSION}\`.`,
  );
  assert.match(third ?? "", /^ {2}state +RUNNING$/);
  assert.ok(
    !statusText(status, null, palette(false), "x", NOW).includes("object"),
  );
});

test("[SES-62] tokens and context are told in words", () => {
  const text = statusText(status, null, palette(false), "reprise", NOW);
  assert.match(text, /usage +107 \(100 in, 40 of them cached, 7 out\)\n/);
  assert.match(text, /context +120 of 1000 tokens\n/);
});

test("[API-153] while the agent is being started, status says so", () => {
  const starting = { ...status, state: "STARTING" as const, troubles: [] };
  const [sentence] = statusText(
    starting,
    null,
    palette(false),
    "reprise",
    NOW,
  ).split("\n");
  assert.match(
    sentence ?? "",
    /is STARTING: its agent is being started\. .*downloaded first/,
  );
});
