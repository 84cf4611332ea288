import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lockHolder } from "./lock-holder.ts";
import { takeOsLock } from "./os-lock.ts";
import { identify } from "./process-identity.ts";

test("[REC-28] who holds a lock is known while it is held, and nobody is when it is not", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-lock-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "lock");
  assert.equal(await lockHolder(path), null);
  const lock = takeOsLock(path);
  assert.ok(lock !== null);
  assert.deepEqual(await lockHolder(path), await identify(process.pid));
  copyFileSync(path, `${path}.copy`);
  assert.equal(await lockHolder(`${path}.copy`), null);
  lock.release();
  assert.equal(await lockHolder(path), null);
});
