import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LABEL_KEY, loadOrMakeLabelKey } from "./label-key.ts";

test("[SES-61] the key of labels is made once, only we can read it, and what is no key is replaced", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-label-key-"));
  t.after(() => rm(home, { recursive: true }));
  const path = join(home, LABEL_KEY);
  const key = await loadOrMakeLabelKey(home);
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await loadOrMakeLabelKey(home), key);
  await writeFile(path, "");
  const next = await loadOrMakeLabelKey(home);
  assert.match(next, /^[0-9a-f]{64}$/);
  assert.notEqual(next, key);
  await chmod(path, 0o640);
  assert.notEqual(await loadOrMakeLabelKey(home), next, "others could read it");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await chmod(path, 0o620);
  await assert.rejects(
    loadOrMakeLabelKey(home),
    { code: "not_ours" },
    "[API-110]",
  );
  assert.deepEqual(await readdir(home), [LABEL_KEY]);
});
