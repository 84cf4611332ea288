import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { workspaceAt } from "./root.ts";

test("[CPT-3] our home is left out of a workspace around it, and is none itself", async (t) => {
  const around = await mkdtemp(join(tmpdir(), "root-"));
  t.after(() => rm(around, { recursive: true }));
  const home = join(around, "home");
  const own = join(home, "workspaces", "ses_1");
  await mkdir(own, { recursive: true });
  await symlink(around, join(around, "way"));

  assert.deepEqual((await workspaceAt(home, around, {})).leaveOut, [home]);
  assert.deepEqual((await workspaceAt(home, own, {})).leaveOut, []);
  const { root, cacheKey } = await workspaceAt(home, join(around, "way"), {});
  assert.deepEqual([root, cacheKey], [around, around]);
  const all = join(home, "workspaces");
  for (const ours of [home, all, join(all, "..")])
    await assert.rejects(workspaceAt(home, ours, {}), {
      code: "not_permitted",
    });
  await assert.rejects(workspaceAt(home, join(around, "no"), {}), {
    code: "not_found",
  });
});
