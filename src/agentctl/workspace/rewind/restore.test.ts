import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { SessionId } from "../../../contract/base/id.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { restoreMissing } from "./restore.ts";
import { rewind } from "./rewind.ts";
import { workspaceAt } from "../capture/root.ts";

/** A workspace with one checkpoint, and what was to be seen in it whenever its disk was flushed. */
const scene = async (t: TestContext) => {
  const home = await mkdtemp(join(tmpdir(), "restore-"));
  await mkdir(join(home, "agentctl"));
  const storage = new CheckpointStorage(home, () => undefined);
  t.after(async () => {
    await storage.close();
    await rm(home, { recursive: true });
  });
  const cwd = join(home, "workspaces", "ses_1");
  await mkdir(cwd, { recursive: true });
  const file = join(cwd, "a.txt");
  await writeFile(file, "hello");
  const vault = await storage.vault();
  const { tree } = await vault.save(await workspaceAt(home, cwd, {}));
  const flushed: (string | null)[] = [];
  const flush = vault.flush.bind(vault);
  t.mock.method(vault, "flush", async (directory: string) => {
    flushed.push(existsSync(file) ? await readFile(file, "utf8") : null);
    await flush(directory);
  });
  return { storage, cwd, file, tree, flushed };
};

const common = { worktree: null, moved: false, isStillNeeded: () => true };

test("[CPT-4] a workspace that was missing is on the disk before it has its name", async (t) => {
  const { storage, cwd, file, tree, flushed } = await scene(t);
  await rm(cwd, { recursive: true });
  const order = { cwd, tree, ...common };
  assert.deepEqual(await restoreMissing(storage, order), {
    unlinked: false,
    incomplete: [],
  });
  assert.equal(await readFile(file, "utf8"), "hello");
  assert.deepEqual(flushed, [null], "once, and it had no name then");
});

test("[CPT-4] a workspace may have the longest name there can be", async (t) => {
  const { storage, cwd, tree } = await scene(t);
  const long = join(cwd, "..", "w".repeat(255));
  const order = { cwd: long, tree, ...common };
  assert.deepEqual(await restoreMissing(storage, order), {
    unlinked: false,
    incomplete: [],
  });
  assert.equal(await readFile(join(long, "a.txt"), "utf8"), "hello");
  assert.equal((await readdir(join(cwd, ".."))).length, 2);
});

test("[CPT-4] a link that leads nowhere is no workspace that is missing", async (t) => {
  const { storage, cwd, tree } = await scene(t);
  await rm(cwd, { recursive: true });
  await symlink(`${cwd}-gone`, cwd);
  await assert.rejects(restoreMissing(storage, { cwd, tree, ...common }), {
    code: "not_found",
    message: /is a link that leads nowhere/,
  });
  assert.deepEqual(await readdir(join(cwd, "..")), ["ses_1"]);
});

test("[CPT-7] a rewind is on the disk before it is answered", async (t) => {
  const { storage, cwd, file, tree, flushed } = await scene(t);
  const session_id = SessionId.parse(`ses_${"1".padStart(26, "0")}`);
  const order = { session_id, cwd, env: {}, tree, others: [] };
  for (const own of [null, [{ from: tree, to: tree }]]) {
    await writeFile(file, "hullo");
    await rewind(storage, { ...order, own, dry_run: true });
    await rewind(storage, { ...order, own, dry_run: false });
  }
  assert.deepEqual(flushed, ["hello", "hullo"]);
});

test("[CPT-7] a rewind of a missing workspace that somebody makes meanwhile is refused, and theirs is left as it is", async (t) => {
  const { storage, cwd, file, tree } = await scene(t);
  await rm(cwd, { recursive: true });
  const vault = await storage.vault();
  const diff = vault.diff.bind(vault);
  t.mock.method(vault, "diff", async (...ends: Parameters<typeof diff>) => {
    await mkdir(cwd);
    await writeFile(file, "theirs");
    return diff(...ends);
  });
  const session_id = SessionId.parse(`ses_${"1".padStart(26, "0")}`);
  const order = { session_id, cwd, tree, own: null, others: [] };
  await assert.rejects(rewind(storage, { ...order, dry_run: false }), {
    code: "workspace_changing",
  });
  assert.equal(await readFile(file, "utf8"), "theirs");
});
