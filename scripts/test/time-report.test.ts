import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileResult } from "./file-result.ts";
import { describeTimes } from "./time-report.ts";

const passed = (name: string, ms: number) =>
  ({ type: "passed", name, ms }) as const;

const results: FileResult[] = [
  { file: "/p/src/a.test.ts", outcomes: [passed("a", 10)], output: "", ms: 10 },
  {
    file: "/p/src/b.test.ts",
    outcomes: [passed("b", 1500), passed("c", 30_000)],
    output: "",
    ms: 31_500,
  },
];

test("files are told in the order of what they took, and tests of a second or more", () => {
  assert.deepEqual(describeTimes(results, "/p").split("\n"), [
    "Files: seconds by the clock",
    "    31.5  src/b.test.ts",
    "     0.0  src/a.test.ts",
    "",
    "Tests: seconds by the clock",
    "    30.0  src/b.test.ts: c",
    "     1.5  src/b.test.ts: b",
    "",
  ]);
});

test("where it was counted, what the processors did decides, told once for a process", () => {
  const [first, second] = results as [FileResult, FileResult];
  const counted = [{ ...first, coreMs: 40_000, others: 1 }, second];
  assert.deepEqual(describeTimes(counted, "/p").split("\n").slice(0, 3), [
    "Files: seconds by the clock, of a core (40.0 together)",
    "     0.0    40.0  src/a.test.ts (its process: 1 more)",
    "    31.5       -  src/b.test.ts",
  ]);
});
