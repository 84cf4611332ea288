import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CheckpointStorage } from "./checkpoint-storage.ts";

test("[CPT-3] a scratch directory that could not be made is made the next time", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "checkpoint-storage-"));
  t.after(() => rm(home, { recursive: true }));
  const storage = new CheckpointStorage(home, () => undefined);
  const inWay = join(home, "agentctl");
  await writeFile(inWay, "");
  const use = () => storage.withScratch((directory) => readdir(directory));
  await assert.rejects(use());
  await rm(inWay);
  await mkdir(inWay);
  assert.deepEqual(await Promise.all([use(), use()]), [[], []]);
});
