/** Folders stay small enough to be read as a list. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkFolders } from "./check-folders.ts";
import { readTree, treeWith } from "./tree.ts";

const sources = await readTree(resolve(import.meta.dirname, "../.."), ["src"]);

test("no folder is a pile", () => {
  assert.ok(sources.size > 0);
  assert.deepEqual(checkFolders(sources), []);
});

test("a folder that is a pile is found; what serves tests does not count", () => {
  const blamed = (folder: string, files: number): string[] => {
    const planted = Array.from({ length: files }, (_, at) => ({
      path: `${folder}/planted-${at}.ts`,
      source: "",
    }));
    return checkFolders(treeWith(sources, planted)).map(({ file }) => file);
  };
  assert.deepEqual(blamed("src/attic", 25), []);
  assert.deepEqual(blamed("src/attic", 26), ["src/attic"]);
  assert.deepEqual(blamed("src/attic/fixtures", 26), []);
});
