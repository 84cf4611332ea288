/** Documents lead somewhere: their links, and the files that they name. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkLinks, checkPaths } from "./check-documents.ts";
import { plant } from "./plant.ts";

const root = resolve(import.meta.dirname, "../..");

test("links in documents lead somewhere", async () => {
  assert.deepEqual(await checkLinks(root), []);
});

test("files that documents name are there", async () => {
  assert.deepEqual(await checkPaths(root), []);
});

test("links and names that lead nowhere are found", async (t) => {
  const copy = await mkdtemp(join(tmpdir(), "documents-"));
  t.after(() => rm(copy, { recursive: true, force: true }));
  const file = "docs/planted.md";
  const source = "See `src/nowhere/gone.ts` and [this](gone.md).\n";
  await plant(copy, { path: file, source });
  assert.deepEqual(await checkPaths(copy), [
    { file, what: "names src/nowhere/gone.ts, which is not there" },
  ]);
  assert.deepEqual(await checkLinks(copy), [
    { file, what: "links to gone.md, which is not there" },
  ]);
});
