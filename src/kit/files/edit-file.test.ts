import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { editFile } from "./edit-file.ts";

const fileIn = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-edit-"));
  t.after(() => rm(directory, { recursive: true }));
  return join(directory, "file");
};

void test("[WHK-27] of many editors at once none loses its change, and nothing is left beside the file", async (t) => {
  const path = await fileIn(t);
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
  const edits = lines.map((line) =>
    editFile({ path, edit: (text) => `${text ?? ""}${line}\n` }),
  );
  assert.deepEqual(new Set(await Promise.all(edits)), new Set(["done"]));
  const found = (await readFile(path, "utf8")).trimEnd().split("\n");
  assert.deepEqual(found.toSorted(), lines.toSorted());
  assert.deepEqual(await readdir(join(path, "..")), ["file"]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

void test("[WHK-27] somebody who changes the file without a lock loses nothing: the edit is made again on what is there", async (t) => {
  const path = await fileIn(t);
  await writeFile(path, "one\n");
  let edits = 0;
  const edit = async (text: string | null): Promise<string> => {
    edits += 1;
    if (edits === 1) await writeFile(path, "one\ntwo\n");
    return `${text}three\n`;
  };
  assert.equal(await editFile({ path, edit }), "done");
  assert.equal(await readFile(path, "utf8"), "one\ntwo\nthree\n");
  assert.equal(edits, 2);
});

void test("[WHK-27] a lock that a dead program left is taken over, one that is held is not", async (t) => {
  const path = await fileIn(t);
  await mkdir(`${path}.lock`);
  const edit = () => "new";
  assert.equal(await editFile({ path, edit, withinMs: 50 }), "busy");
  const old = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, old, old);
  assert.equal(await editFile({ path, edit, withinMs: 50 }), "done");
  assert.equal(await readFile(path, "utf8"), "new");
});
