import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { within } from "../../../kit/time/deadline.ts";
import { patience } from "../../../kit/fixtures/patience.ts";
import { compareWorkspace } from "./compare.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { workspaceAt } from "../capture/root.ts";

test("[CPT-5] a workspace is held against its checkpoint; without time, or without a checkpoint, nothing is claimed", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "compare-"));
  await mkdir(join(home, "agentctl"));
  const storage = new CheckpointStorage(home, () => undefined);
  t.after(async () => {
    await storage.close();
    await rm(home, { recursive: true });
  });
  const cwd = join(home, "workspaces", "ses_1");
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, "a.txt"), "hello");
  const vault = await storage.vault();
  const { tree } = await vault.save(await workspaceAt(home, cwd, {}));
  const now = new AbortController().signal;
  const compare = (signal = now, against = tree) =>
    compareWorkspace(storage, { cwd, env: {} }, against, signal);

  assert.equal(await compare(), "unchanged");
  await utimes(join(cwd, "a.txt"), 1, 1);
  assert.equal(await compare(), "unchanged", "a time alone is no change");
  await writeFile(join(cwd, "a.txt"), "hullo");
  assert.equal(await compare(), "changed");
  assert.equal(await compare(AbortSignal.abort()), null);
  assert.equal(await compare(now, "0".repeat(64)), null);
});

test("[CPT-5] who waits for the comparison gets its answer in time, though the vault is held by others", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "compare-"));
  await mkdir(join(home, "agentctl"));
  const storage = new CheckpointStorage(home, () => undefined);
  const cwd = join(home, "workspaces", "ses_1");
  await mkdir(cwd, { recursive: true });
  const vault = await storage.vault();
  const workspace = await workspaceAt(home, cwd, {});
  const { tree } = await vault.save(workspace);
  const held = Promise.withResolvers<never>();
  const called = Promise.withResolvers<void>();
  t.mock.method(vault, "compare", () => {
    called.resolve();
    return held.promise;
  });
  t.after(async () => {
    held.reject(new Error("over"));
    await storage.close();
    await rm(home, { recursive: true });
  });
  const late = new AbortController();
  const comparing = compareWorkspace(
    storage,
    { cwd, env: {} },
    tree,
    late.signal,
  );
  await called.promise;
  late.abort();
  const answer = within("comparing", patience(5000), comparing);
  assert.equal(await answer, null);
});
