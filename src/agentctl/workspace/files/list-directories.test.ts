import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { listDirectories } from "./list-directories.ts";

const someDirectories = (t: TestContext): string => {
  const root = mkdtempSync(join(tmpdir(), "directories-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["project", "Projects", "other", ".prelude"])
    mkdirSync(join(root, name));
  writeFileSync(join(root, "prose.txt"), "");
  symlinkSync("project", join(root, "prior"));
  symlinkSync("nowhere", join(root, "pristine"));
  mkdirSync(Buffer.from(`${root}/pr\xff`, "latin1"));
  return root;
};

test("[WSP-30] directories and links to them are listed by the beginning of their names, what fits exactly first", (t) => {
  const root = someDirectories(t);
  const list = (path: string, limit = 50) => listDirectories({ path, limit });
  assert.deepEqual(list(`${root}/pr`), {
    parent: `${root}/`,
    names: ["prior", "project", "Projects"],
    truncated: false,
  });
  assert.deepEqual(list(`${root}/Pro`).names, ["Projects", "project"]);
  assert.deepEqual(list(`${root}/`).names, [
    "Projects",
    "other",
    "prior",
    "project",
  ]);
  assert.deepEqual(list(`${root}/project/`).names, []);
  assert.deepEqual(list(`${root}/`, 2), {
    parent: `${root}/`,
    names: ["Projects", "other"],
    truncated: true,
  });
  assert.equal(list(`${root}/`, 4).truncated, false);
});

test("[WSP-30] a name that begins with a dot is listed only where a dot was typed", (t) => {
  const root = someDirectories(t);
  const names = (path: string) => listDirectories({ path, limit: 50 }).names;
  assert.deepEqual(names(`${root}/.`), [".prelude"]);
  assert.deepEqual(names(`${root}/p`).includes(".prelude"), false);
});

test("[WSP-31] what is not there, no directory, relative or not readable is refused", (t) => {
  const root = someDirectories(t);
  const refused = (path: string, code: string) =>
    assert.throws(() => listDirectories({ path, limit: 50 }), { code });
  refused(`${root}/gone/x`, "path_not_found");
  refused(`${root}/prose.txt/x`, "not_a_directory");
  refused("project", "path_invalid");
  refused(`${root}/\0`, "path_invalid");
  refused(`${root}/${"n".repeat(300)}/x`, "path_invalid");
  if (process.getuid?.() === 0) return;
  chmodSync(join(root, "other"), 0o000);
  refused(`${root}/other/x`, "path_denied");
  chmodSync(join(root, "other"), 0o700);
});
