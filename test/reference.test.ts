import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { referencePages } from "../scripts/reference/pages.ts";

const root = resolve(import.meta.dirname, "..");

test("docs/reference is what `npm run docs:reference` writes", async () => {
  for (const [path, text] of await referencePages(root))
    assert.equal(
      await readFile(join(root, path), "utf8"),
      text,
      `${path} is stale: run \`npm run docs:reference\``,
    );
});
