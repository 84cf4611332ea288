import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { claudeOptions } from "../claude/claude-options.ts";
import { cliOptions } from "../overrides/overridden.ts";
import { limitsOf } from "./agent-options.ts";

const definition = (overrides: Partial<AgentDefinition>): AgentDefinition => ({
  agent: "claude",
  home: "user",
  env_names: [],
  ...overrides,
});

test("[LNK-44] allowed tools become those that there are; disallowed ones are withheld, patterns and all", () => {
  const allowed_tools = ["Read", "Bash(git *)", "mcp__docs__search"];
  const disallowed_tools = ["Bash(rm *)"];
  assert.deepEqual(limitsOf({ allowed_tools, disallowed_tools }), {
    offered: ["Read", "Bash", "mcp__docs__search"],
    withheld: ["Bash(rm *)"],
    complete: true,
  });
});

test("[SES-63] a malformed pattern of an older journal withholds the whole tool, and offers none", () => {
  assert.deepEqual(
    limitsOf({
      allowed_tools: ["Read", "Bash(git *"],
      disallowed_tools: ["Write("],
      permissions: {
        default: "ask",
        rules: [{ tool: "WebFetch (https://*)", answer: "deny" }],
      },
    }),
    {
      offered: ["Read"],
      withheld: ["Write", "WebFetch(https://*)"],
      complete: true,
    },
  );
  const all = limitsOf({ disallowed_tools: ["(rm *)"] });
  assert.equal(all.complete, false, "it cannot withhold everything");
});

test("[LNK-44] what only the policy understands stays with the policy, and the agent is told", () => {
  const limits = limitsOf({ allowed_tools: ["read", "Bash"] });
  assert.deepEqual(limits, { offered: null, withheld: [], complete: false });
  assert.equal(limitsOf({ disallowed_tools: ["*"] }).complete, false);
});

test("[LNK-44] rules that forbid are withheld too, unless one before them allows; tools that a rule allows are offered", () => {
  const limits = limitsOf({
    allowed_tools: ["Read"],
    permissions: {
      default: "ask",
      rules: [
        { tool: "WebFetch", answer: "deny" },
        { tool: "Bash(git *)", answer: "allow" },
        { tool: "Bash", answer: "deny" },
      ],
    },
  });
  assert.deepEqual(limits.offered, ["Read", "Bash"]);
  assert.deepEqual(limits.withheld, ["WebFetch"]);
});

test("[LNK-44] Claude gets limits and settings with its session, never leave to skip a question", () => {
  const settings = { cleanupPeriodDays: 9 };
  const overrides = claudeOptions(
    definition({ allowed_tools: ["Read"], settings }),
  );
  assert.deepEqual(overrides.meta, {
    claudeCode: { options: { tools: ["Read"], settings } },
  });
  assert.deepEqual([overrides.limits, overrides.settings], [true, true]);
  assert.deepEqual(claudeOptions(definition({})).meta, {});
});

test("[LNK-44] a CLI gets what its command line has room for", () => {
  const asked = definition({ model: "m", disallowed_tools: ["Bash"] });
  const { limits, model, settings } = cliOptions("codex")(asked);
  assert.deepEqual([limits, model, settings], [false, true, false]);
  assert.equal(cliOptions("claude")(asked).limits, true);
  assert.equal(cliOptions("amp")(asked).model, false);
});
