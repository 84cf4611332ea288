import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../../commands.ts";
import { parse } from "../../parsing/parse.ts";
import { definitionOptions } from "./definition.ts";
import { limitOptions, promptLimitsOf } from "./limits.ts";

const nothing = {
  "allowed-tools": [],
  "disallowed-tools": [],
  "max-tool-calls": undefined,
};

test("[SES-100] the limits of a prompt are lists with commas, may be repeated, and are absent where none is given", () => {
  assert.deepEqual(promptLimitsOf(nothing), {});
  assert.deepEqual(
    promptLimitsOf({
      "allowed-tools": ["read,search", "Bash(git add, git commit)"],
      "disallowed-tools": ["edit"],
      "max-tool-calls": 3,
    }),
    {
      limits: {
        allowed_tools: ["read", "search", "Bash(git add, git commit)"],
        disallowed_tools: ["edit"],
        max_tool_calls: 3,
      },
    },
  );
});

test("[SES-100] limits that would hold nothing are refused with the name of their option", () => {
  for (const option of ["allowed-tools", "disallowed-tools"] as const)
    assert.throws(() => promptLimitsOf({ ...nothing, [option]: [","] }), {
      message: `--${option} "," names no tool.`,
    });
  assert.throws(() => promptLimitsOf({ ...nothing, "max-tool-calls": 0 }), {
    message: "--max-tool-calls must be at least 1.",
  });
});

test("tools are restricted by the same options for a session, a task and a prompt", () => {
  for (const name of ["allowed-tools", "disallowed-tools"] as const)
    assert.deepEqual(
      [limitOptions[name].kind, limitOptions[name].value],
      [definitionOptions[name].kind, definitionOptions[name].value],
    );
  for (const name of ["session prompt", "session start", "task create"]) {
    const options = commands.find((each) => each.name === name)?.options ?? {};
    const about = Object.keys(options).filter((each) => each.includes("tools"));
    assert.deepEqual(
      about.filter((each) => each.endsWith("allowed-tools")),
      ["allowed-tools", "disallowed-tools"],
      name,
    );
  }
  assert.throws(() =>
    parse(["session", "prompt", "ses_01", "x", "--allow-tool", "a"], commands),
  );
});
