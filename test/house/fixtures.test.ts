/** What only tests use lies in `fixtures/`. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkFixtures } from "./check-fixtures.ts";
import { readTree, treeWith } from "./tree.ts";

const root = resolve(import.meta.dirname, "../..");
const everything = await readTree(root, ["src", "test", "bench", "web"]);

test("what only tests use lies in a folder of that name", () => {
  assert.deepEqual(checkFixtures(everything), []);
});

const user = (path: string) => ({
  path,
  source: `import { planted } from "${path.startsWith("src/") ? "." : "../src/kit"}/planted.ts";\nvoid planted;\n`,
});
const planted = {
  path: "src/kit/planted.ts",
  source: "export const planted = 1;\n",
};

for (const [by, path] of [
  ["a test beside it", "src/kit/planted-user.test.ts"],
  ["a test of several rooms", "test/planted.test.ts"],
  ["a benchmark", "bench/planted.ts"],
] as const)
  test(`a file that only ${by} uses is found`, () => {
    const found = checkFixtures(treeWith(everything, [planted, user(path)]));
    assert.deepEqual(
      found.map(({ file }) => file),
      [planted.path],
    );
  });

test("a suite beside the source is found", () => {
  const suite = { ...planted, source: `import { test } from "node:test";\n` };
  const found = checkFixtures(
    treeWith(everything, [suite, user("src/kit/planted-user.ts")]),
  );
  assert.deepEqual(
    found.map(({ file }) => file),
    [planted.path],
  );
});

test("what both use, and a program that nobody imports, may stay", () => {
  const both = [user("src/kit/planted-user.ts"), user("test/planted.test.ts")];
  assert.deepEqual(checkFixtures(treeWith(everything, [planted, ...both])), []);
  assert.deepEqual(checkFixtures(treeWith(everything, [planted])), []);
});
