import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PruneToken } from "../../../checkpoint/upkeep.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { Prunes } from "./prune.ts";

test("[CPT-14] for a garbage collection that was begun and forgotten, or that failed, nothing is noted any more", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "prune-"));
  await mkdir(join(home, "agentctl"));
  const storage = new CheckpointStorage(home, () => undefined);
  t.after(async () => {
    await storage.close();
    await rm(home, { recursive: true });
  });
  const root = join(home, "workspace");
  await mkdir(root);
  const vault = await storage.vault();
  const begin = vault.beginPrune.bind(vault);
  const tokens: PruneToken[] = [];
  t.mock.method(vault, "beginPrune", () => {
    const token = begin();
    tokens.push(token);
    return token;
  });
  const prunes = new Prunes(storage);
  const marks: string[] = [];
  for (let n = 0; n < 10; n++) marks.push((await prunes.begin()).mark);

  const usage = t.mock.method(vault, "usage", async () => {
    throw new Error("the disk cannot be read");
  });
  const last = { mark: marks.at(-1) ?? "", trees: [], dry_run: true };
  await assert.rejects(prunes.prune(last));
  usage.mock.restore();

  await writeFile(join(root, "a.txt"), "hello");
  const { tree } = await vault.save({ root, cacheKey: null });
  const noted = tokens.map(({ saved }) => saved.has(tree));
  const all = Array.from({ length: 7 }, () => true);
  assert.deepEqual(noted, [false, false, ...all, false]);
});
