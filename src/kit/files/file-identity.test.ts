import assert from "node:assert/strict";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { watchIdentities } from "./file-identity.ts";

test("a file that is moved, replaced or put back is noticed; one that is rewritten is the same", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-identity-"));
  t.after(() => rm(directory, { recursive: true }));
  const [first, second] = ["first", "second"].map((n) => join(directory, n));
  assert.ok(first !== undefined && second !== undefined);
  await writeFile(first, "1");
  await writeFile(second, "2");
  const displaced = watchIdentities([directory, first, second]);
  assert.equal(displaced(), null);
  await writeFile(second, "longer");
  assert.equal(displaced(), null);
  await rename(second, `${second}.away`);
  assert.deepEqual(displaced(), { path: second, found: "missing" });
  await writeFile(second, "longer");
  assert.deepEqual(displaced(), { path: second, found: "replaced" });
  await rename(`${second}.away`, second);
  assert.equal(displaced(), null);
  await rename(directory, `${directory}-away`);
  assert.deepEqual(displaced(), { path: directory, found: "missing" });
  await rename(`${directory}-away`, directory);
});
