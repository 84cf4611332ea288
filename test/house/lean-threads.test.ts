/** The threads of the database start quickly and stay small: shown to hold, and to be noticed when they do not. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkLeanThreads } from "./check-imports.ts";
import { readTree, treeWith } from "./tree.ts";

const sources = await readTree(resolve(import.meta.dirname, "../.."), ["src"]);

test("the threads of the database load no schemas", () => {
  assert.ok(sources.has("src/store/sqlite/threads/writer-thread.ts"));
  assert.deepEqual(checkLeanThreads(sources), []);
});

test("a schema that a thread loads is found", () => {
  const planted = treeWith(sources, [
    {
      path: "src/store/sqlite/base/row.ts",
      source: `export { PlaceRef } from "../../../contract/base/place.ts";\n`,
    },
  ]);
  const found = checkLeanThreads(planted).map(({ file }) => file);
  assert.ok(found.includes("src/store/sqlite/threads/reader-thread.ts"));
  assert.ok(found.includes("src/store/sqlite/threads/writer-thread.ts"));
});
