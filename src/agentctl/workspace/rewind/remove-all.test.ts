import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeAll } from "./remove-all.ts";

test("[CPT-14] what may not be written goes too, and a file with a name elsewhere stays as it is there", async (t) => {
  const around = await mkdtemp(join(tmpdir(), "remove-"));
  t.after(() => removeAll(around));
  const goes = join(around, "goes");
  const shut = join(goes, "shut");
  const elsewhere = join(around, "elsewhere");
  await mkdir(join(shut, "deeper"), { recursive: true });
  await writeFile(elsewhere, "x", { mode: 0o444 });
  await link(elsewhere, join(shut, "deeper", "name"));
  await chmod(join(shut, "deeper"), 0o500);
  await chmod(shut, 0);
  await removeAll(goes);
  assert.equal(existsSync(goes), false);
  assert.equal((await stat(elsewhere)).mode & 0o777, 0o444);
});

test("[CPT-14] what lies deeper than a path can say goes too", async (t) => {
  const around = await mkdtemp(join(tmpdir(), "remove-"));
  t.after(() => removeAll(around));
  const name = "n".repeat(250);
  const down = `for i in $(seq 20); do mkdir ${name} && cd ${name} || exit; done`;
  // Some shells end where they cannot follow: that is deep enough.
  spawnSync("sh", ["-c", down], { cwd: around });
  await assert.rejects(rm(around, { recursive: true }), /ENAMETOOLONG/);
  await removeAll(around);
  assert.equal(existsSync(around), false);
});
