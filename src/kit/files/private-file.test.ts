import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readPrivate } from "./private-file.ts";
import { UnusableFile } from "./unusable-file.ts";

void test("[WHK-3] a secret is read only from a plain file that nobody else can read or change", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-private-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "secret");
  assert.equal(await readPrivate(path), null);
  await writeFile(path, "hunter2", { mode: 0o600 });
  assert.equal(await readPrivate(path), "hunter2");
  await symlink(path, join(directory, "link"));
  assert.equal(await readPrivate(join(directory, "link")), "hunter2");

  const faults: [number, string][] = [
    [0o640, "not_private"],
    [0o604, "not_private"],
    [0o620, "not_ours"],
  ];
  for (const [mode, code] of faults) {
    await chmod(path, mode);
    await assert.rejects(readPrivate(path), (error) => {
      assert.ok(error instanceof UnusableFile);
      assert.equal(error.code, code);
      return !error.message.includes("hunter2");
    });
  }
  execFileSync("mkfifo", [join(directory, "fifo")]);
  await assert.rejects(readPrivate(join(directory, "fifo")), UnusableFile);
});
