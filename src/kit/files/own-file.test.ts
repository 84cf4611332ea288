import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkOurs, readOurs, whyNotOurs } from "./own-file.ts";

test("[API-110] only our own user counts, and what others can write is not ours", () => {
  const ours = { uid: 1000, mode: 0o100644 };
  assert.equal(whyNotOurs("/f", ours, 1000), null);
  for (const uid of [0, 1001])
    assert.match(
      whyNotOurs("/f", { ...ours, uid }, 1000) ?? "",
      new RegExp(`belongs to another user \\(uid ${uid}, this is uid 1000\\)`),
    );
  assert.match(whyNotOurs("/f", ours, 0) ?? "", /belongs to another user/);
  for (const mode of [0o664, 0o646, 0o777])
    assert.match(
      whyNotOurs("/f", { ...ours, mode }, 1000) ?? "",
      /can be changed by others \(mode 0\d{3}\).*chmod go-w/,
    );
});

test("[API-110] a file that others can write is not read, a directory is not used; one that is missing is nobody's", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-ours-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "file");
  assert.equal(await readOurs(path), null);
  assert.equal(await readOurs(join(path, "deeper")), null);
  await checkOurs(path);
  await writeFile(path, "text", { mode: 0o600 });
  assert.equal(await readOurs(path), "text");
  await chmod(path, 0o620);
  await assert.rejects(readOurs(path), { code: "not_ours" });
  await checkOurs(directory);
  await chmod(directory, 0o770);
  await assert.rejects(checkOurs(directory), { code: "not_ours" });
});

test("[LNK-90] a FIFO, a device, a directory and a huge file in the place of a file of ours are refused, not waited for", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-odd-"));
  t.after(() => rm(directory, { recursive: true }));
  const at = (name: string): string => join(directory, name);
  execFileSync("mkfifo", ["-m", "600", at("fifo")]);
  await symlink("fifo", at("link"));
  await mkdir(at("directory"), { mode: 0o700 });
  await writeFile(at("huge"), "", { mode: 0o600 });
  await truncate(at("huge"), 2 ** 40);
  for (const name of ["fifo", "link", "directory", "huge"])
    await assert.rejects(readOurs(at(name)), { code: "not_plain" }, name);
  await symlink("/dev/zero", at("device"));
  await assert.rejects(readOurs(at("device")));
  await writeFile(at("file"), "text", { mode: 0o600 });
  await symlink("file", at("to-file"));
  assert.equal(await readOurs(at("to-file")), "text", "settings may be a link");
});
