import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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
import { loadOrMakeId } from "./own-id.ts";
import { isUnusable } from "./unusable-file.ts";

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "own-id-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

const parse = (text: string): string | null =>
  /^id-\d+$/.test(text) ? text : null;

const counting = () => {
  let made = 0;
  return () => `id-${++made}`;
};

test("[LNK-84] [REC-63] an id is made once and kept, and drafts of it are swept", async (t) => {
  const directory = await scratch(t);
  const path = join(directory, "id");
  const make = counting();
  assert.equal(await loadOrMakeId(path, parse, make), "id-1");
  await writeFile(`${path}.0123456789ab`, "id-9");
  assert.equal(await loadOrMakeId(path, parse, make), "id-1");
  assert.deepEqual(await readdir(directory), ["id"]);
  assert.equal(await readFile(path, "utf8"), "id-1\n");
});

test("[LNK-84] [REC-63] what holds no id is replaced: spoilt, too long, a link, a FIFO", async (t) => {
  const directory = await scratch(t);
  const path = join(directory, "id");
  const make = counting();
  const spoilt = [
    () => writeFile(path, "\0\0"),
    () => writeFile(path, "id-1".repeat(1000)),
    () => symlink("elsewhere", path),
    async () => void execFileSync("mkfifo", [path]),
  ];
  for (const [n, spoil] of spoilt.entries()) {
    await rm(path, { force: true });
    await spoil();
    assert.equal(await loadOrMakeId(path, parse, make), `id-${n + 1}`);
    assert.equal(await readFile(path, "utf8"), `id-${n + 1}\n`);
  }
});

test("[LNK-84] [REC-63] what cannot be read or made is told, and no other id is used", async (t) => {
  const directory = await scratch(t);
  const missing = join(directory, "none", "id");
  await assert.rejects(loadOrMakeId(missing, parse, counting()), {
    code: "ENOENT",
  });
});

test("[REC-66] a directory in place of the file is left alone and told with its path and what to do", async (t) => {
  const directory = await scratch(t);
  const path = join(directory, "id");
  await mkdir(path);
  await assert.rejects(loadOrMakeId(path, parse, counting()), (error) => {
    assert.ok(isUnusable(error, "is_directory"));
    assert.ok(error.message.startsWith(`${path} is a directory`));
    assert.match(error.message, /remove the directory/);
    return true;
  });
  assert.deepEqual(await readdir(directory), ["id"], "no draft is left");
});
