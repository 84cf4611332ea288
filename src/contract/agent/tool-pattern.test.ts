import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentDefinition } from "./agent.ts";
import {
  CreateSessionRequest,
  HandoffRequest,
  ResumeRequest,
} from "../api/request.ts";
import { partsOfPattern, patternFault, restrictedBy } from "./tool-pattern.ts";

const malformed = [
  "Bash(rm *",
  "Write(",
  "Bash rm *)",
  "Bash)",
  "Bash()",
  "Bash( )",
  "Bash(rm *))",
  "Bash((rm *)",
  "Bash(rm *) now",
  "Bash(a)(b)",
  "(rm *)",
  " ",
  "Ba\nsh",
  "Bash(rm\u0007 *)",
  "\u200b",
  "\u200b(rm *)",
  "Bash(\u200b)",
];

test("[SES-63] a pattern is a name, or a name and what stands in its parentheses", () => {
  assert.deepEqual(partsOfPattern(" Write a.txt "), { name: "Write a.txt" });
  assert.deepEqual(partsOfPattern("Bash(rm *)"), {
    name: "Bash",
    what: "rm *",
  });
  assert.deepEqual(partsOfPattern("Bash (echo $(date) *) "), {
    name: "Bash",
    what: "echo $(date) *",
  });
  for (const text of malformed) {
    assert.notEqual(patternFault(text), null, text);
    assert.equal(partsOfPattern(text), null, text);
  }
});

test("[SES-63] no request takes a malformed pattern; what a journal holds is read", () => {
  const base = { agent: "demo" };
  const isTaken = (fields: object): boolean[] => [
    CreateSessionRequest.safeParse({ ...base, ...fields }).success,
    HandoffRequest.safeParse({ ...base, ...fields }).success,
    ResumeRequest.safeParse(fields).success,
  ];
  for (const tool of malformed)
    for (const fields of [
      { allowed_tools: [tool] },
      { disallowed_tools: [tool] },
      { permissions: { rules: [{ tool, answer: "deny" }] } },
      { permissions: { rules: [{ tool, answer: "allow" }] } },
    ]) {
      assert.deepEqual(isTaken(fields), [false, false, false], tool);
      const { data, error } = AgentDefinition.safeParse({
        ...base,
        home: "user",
        env_names: [],
        ...fields,
      });
      assert.equal(error, undefined);
      assert.ok(JSON.stringify(data).includes(JSON.stringify(tool)));
    }
  assert.deepEqual(isTaken({ disallowed_tools: ["Bash(rm *)"] }), [
    true,
    true,
    true,
  ]);
});

test("[SES-63] what cannot be seen in the name of a malformed pattern hides no tool from it", () => {
  assert.deepEqual(restrictedBy("\u200b"), { name: "*" });
  assert.deepEqual(restrictedBy("Ba\nsh(rm *)"), { name: "Bash" });
});
