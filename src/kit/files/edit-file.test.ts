import assert from "node:assert/strict";
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { patience } from "../fixtures/patience.ts";
import { editFile, type NotEdited } from "./edit-file.ts";

const fileIn = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-edit-"));
  t.after(() => rm(directory, { recursive: true }));
  return join(directory, "file");
};

const whyNot = (outcome: "done" | NotEdited): string =>
  outcome === "done" ? "" : outcome.why;

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
  assert.match(whyNot(await editFile({ path, edit, withinMs: 50 })), /locked/);
  const old = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, old, old);
  const withinMs = patience(5000);
  assert.equal(await editFile({ path, edit, withinMs }), "done");
  assert.equal(await readFile(path, "utf8"), "new");
});

void test("[MCP-69] a lock that stays is named, with what to do about it", async (t) => {
  const path = await fileIn(t);
  const lock = `${path}.lock`;
  const old = new Date(Date.now() - 60_000);
  const tryIt = async (): Promise<string> =>
    whyNot(await editFile({ path, edit: () => "new", withinMs: 50 }));
  await writeFile(lock, "");
  await utimes(lock, old, old);
  assert.ok((await tryIt()).includes(`remove ${lock}`));
  await rm(lock);
  await mkdir(join(lock, "more"), { recursive: true });
  await utimes(lock, old, old);
  assert.ok((await tryIt()).includes(`remove ${lock}`));
  await assert.rejects(stat(path), { code: "ENOENT" });
});

void test("[MCP-69] a lock of the future is taken over when nothing happens to it for as long", async (t) => {
  const path = await fileIn(t);
  await mkdir(`${path}.lock`);
  const later = new Date(Date.now() + 3_600_000);
  await utimes(`${path}.lock`, later, later);
  const edit = () => "new";
  const waited = { path, edit, withinMs: 60_000, staleMs: 50 };
  assert.equal(await editFile(waited), "done");
  assert.equal(await readFile(path, "utf8"), "new");
});

void test("[MCP-68] a link to a file that is not there yet is followed, and stays", async (t) => {
  const path = await fileIn(t);
  const directory = join(path, "..");
  await mkdir(join(directory, "dot"));
  await symlink("dot/second", path);
  await symlink("file", join(directory, "dot/second"));
  assert.equal(await editFile({ path, edit: () => "new" }), "done");
  assert.ok((await lstat(path)).isSymbolicLink());
  assert.equal(await readFile(join(directory, "dot/file"), "utf8"), "new");
});

void test("[MCP-68] a link into a directory that is not there, or to itself, is refused with words", async (t) => {
  const path = await fileIn(t);
  const edit = () => "new";
  await symlink("dot/file", path);
  const why = whyNot(await editFile({ path, edit }));
  assert.match(why, /is a link to .*dot\/file, and .*dot is not there\. Make/);
  await rm(path);
  await symlink("file", path);
  assert.match(
    whyNot(await editFile({ path, edit })),
    /leads back to itself\./,
  );
  assert.ok((await lstat(path)).isSymbolicLink());
});
