/** The runtime has no file system: shown to hold, and to be noticed when it does not. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkNoFiles } from "./check-imports.ts";
import { readTree, treeWith } from "./tree.ts";

const sources = await readTree(resolve(import.meta.dirname, "../.."), ["src"]);

test("[LNK-77] the runtime reaches no file system", () => {
  assert.ok(sources.has("src/runtime/runtime.ts"));
  assert.deepEqual(checkNoFiles(sources), []);
});

const faults: Record<string, { path: string; source: string }[]> = {
  "of its own": [
    {
      path: "src/runtime/operations/deep/planted.ts",
      source: `import { readFile } from "node:fs/promises";\nvoid readFile;\n`,
    },
  ],
  "loaded late": [
    {
      path: "src/runtime/planted.ts",
      source: `export const load = () => import("node:fs");\n`,
    },
  ],
  "behind a file of the kit": [
    {
      path: "src/runtime/planted.ts",
      source: `export { remove } from "../kit/files/durable-file.ts";\n`,
    },
  ],
  "behind a core that imports it": [
    {
      path: "src/kit/unreachable.ts",
      source: `import "./planted.ts";\nexport const unreachable = 1;\n`,
    },
    { path: "src/kit/planted.ts", source: `import "node:fs";\n` },
  ],
};
for (const [fault, planted] of Object.entries(faults))
  test(`[LNK-77] a file system in the runtime is found, ${fault}`, () => {
    const found = checkNoFiles(treeWith(sources, planted));
    assert.ok(found.some(({ file }) => file.startsWith("src/runtime/")));
  });

test("[LNK-77] types and tests of the runtime may name files", () => {
  const planted = treeWith(sources, [
    {
      path: "src/runtime/planted.ts",
      source: `import type { Stats } from "node:fs";\nexport type S = Stats;\n`,
    },
    { path: "src/runtime/planted.test.ts", source: `import "node:fs";\n` },
  ]);
  assert.deepEqual(checkNoFiles(planted), []);
});
