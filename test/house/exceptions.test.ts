/** The linter excepts only files that are there. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { checkExceptions } from "./check-exceptions.ts";
import { plant } from "./plant.ts";

const root = resolve(import.meta.dirname, "../..");

test("every file and folder that the linter's configuration names is there", async () => {
  assert.deepEqual(await checkExceptions(root), []);
});

test("an exception for a file that is gone is found", async () => {
  const copy = await mkdtemp(join(tmpdir(), "exceptions-"));
  try {
    const source = `{ "excludeFiles": ["src/attic/gone.ts", "src/kit/**"] }`;
    await plant(copy, { path: ".oxlintrc.json", source });
    await plant(copy, { path: "src/kit/here.ts", source: "" });
    assert.deepEqual(
      (await checkExceptions(copy)).map(({ what }) => what),
      ["src/attic/gone.ts names no file"],
    );
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
