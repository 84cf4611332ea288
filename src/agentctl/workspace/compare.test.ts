import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compareWorkspace } from "./compare.ts";
import { Depot } from "./depot.ts";
import { workspaceAt } from "./root.ts";

test("[CPT-5] a workspace is held against its checkpoint; without time, or without a checkpoint, nothing is claimed", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "compare-"));
  await mkdir(join(home, "agentctl"));
  const depot = new Depot(home, () => undefined);
  t.after(async () => {
    await depot.close();
    await rm(home, { recursive: true });
  });
  const cwd = join(home, "workspaces", "ses_1");
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, "a.txt"), "hello");
  const vault = await depot.vault();
  const { tree } = await vault.save(await workspaceAt(home, cwd, {}));
  const now = new AbortController().signal;
  const compare = (signal = now, against = tree) =>
    compareWorkspace(depot, { cwd, env: {} }, against, signal);

  assert.equal(await compare(), "unchanged");
  await utimes(join(cwd, "a.txt"), 1, 1);
  assert.equal(await compare(), "unchanged", "a time alone is no change");
  await writeFile(join(cwd, "a.txt"), "hullo");
  assert.equal(await compare(), "changed");
  assert.equal(await compare(AbortSignal.abort()), null);
  assert.equal(await compare(now, "0".repeat(64)), null);
});
