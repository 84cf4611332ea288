/** Every rule of a specification has a test that bears its id. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkRules } from "./check-rules.ts";
import { plant } from "./plant.ts";

const root = resolve(import.meta.dirname, "../..");

test("every rule has a test, and every id that a test bears is a rule", async () => {
  assert.deepEqual(await checkRules(root), []);
});

test("rules without a test, ids that are used twice and tests without a rule are found", async (t) => {
  const copy = await mkdtemp(join(tmpdir(), "rules-"));
  t.after(() => rm(copy, { recursive: true, force: true }));
  // Put together here, so that these are no ids of ours.
  const id = (number: number) => `XYZ-${number}`;
  await plant(copy, {
    path: "docs/spec/planted.md",
    source: [1, 2, 2, 4, 5].map((each) => `- **${id(each)}** A.\n`).join(""),
  });
  await plant(copy, {
    path: "src/kit/planted.test.ts",
    source: `test("[${id(1)}, ${id(3)}] a", b);\n// ${id(2)}\n[{ rule: "${id(4)}" }];\n`,
  });
  assert.deepEqual(await checkRules(copy), [
    { file: "docs/spec/planted.md", what: `has a second ${id(2)}` },
    {
      file: "src/kit/planted.test.ts",
      what: `tests ${id(3)}, which is not a rule`,
    },
    { file: "docs/spec/planted.md", what: `no test bears the id ${id(2)}` },
    { file: "docs/spec/planted.md", what: `no test bears the id ${id(5)}` },
  ]);
});
