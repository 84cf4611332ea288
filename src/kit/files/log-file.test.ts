import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { LogFile, type LogLimits } from "./log-file.ts";

const logIn = async (t: TestContext, limits: Partial<LogLimits> = {}) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-log-"));
  const path = join(directory, "log");
  const open = () =>
    new LogFile({ path, tellLost: (n) => `lost ${n}\n`, ...limits });
  const log = open();
  t.after(async () => {
    await log.close();
    await rm(directory, { recursive: true });
  });
  const written = async (...lines: string[]): Promise<void> => {
    for (const line of lines) log.write(`${line}\n`);
    await log.flush();
  };
  const contents = async (): Promise<Record<string, string>> => {
    const names = (await readdir(directory)).toSorted();
    const texts = names.map(async (name) => [
      name,
      await readFile(join(directory, name), "utf8"),
    ]);
    return Object.fromEntries(await Promise.all(texts));
  };
  return { directory, path, open, written, contents };
};

test("lines are written in order, for their owner only", async (t) => {
  const { path, written } = await logIn(t);
  await written("a", "b");
  await written("c");
  assert.equal(await readFile(path, "utf8"), "a\nb\nc\n");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("what cannot be written is dropped, and its number is told when it can be", async (t) => {
  const { path, written } = await logIn(t);
  await mkdir(path);
  await written("a");
  await written("b", "c");
  await rmdir(path);
  await written("d", "e");
  assert.equal(await readFile(path, "utf8"), "lost 3\nd\ne\n");
});

test("[API-109] a full file becomes the first of the old ones, and the oldest goes; all of them are private", async (t) => {
  const { directory, written, contents } = await logIn(t, {
    maxBytes: 6,
    files: 3,
  });
  await written("1", "2", "3", "4");
  await written("5", "6", "7", "8", "9");
  assert.deepEqual(await contents(), {
    log: "7\n8\n9\n",
    "log.1": "4\n5\n6\n",
    "log.2": "1\n2\n3\n",
  });
  await written("a line that is larger than a file", "b");
  assert.deepEqual(await contents(), {
    log: "b\n",
    "log.1": "a line that is larger than a file\n",
    "log.2": "7\n8\n9\n",
  });
  for (const name of await readdir(directory))
    assert.equal((await stat(join(directory, name))).mode & 0o077, 0, name);
});

test("[API-109] one file alone is begun anew; files of one that kept more are removed", async (t) => {
  const { path, open, written, contents } = await logIn(t, {
    maxBytes: 4,
    files: 1,
  });
  for (const n of [1, 2]) await rename(await touched(path), `${path}.${n}`);
  await written("1", "2", "3");
  assert.deepEqual(await contents(), { log: "3\n" });
  // Whoever opens it again goes on where it ends.
  const again = open();
  again.write("4\n");
  again.write("5\n");
  await again.close();
  assert.deepEqual(await contents(), { log: "5\n" });
});

test("[API-109] a log that cannot be rotated does not grow", async (t) => {
  const { path, written, contents } = await logIn(t, {
    maxBytes: 4,
    files: 2,
  });
  // A directory cannot be replaced by a file.
  await mkdir(join(`${path}.1`, "in the way"), { recursive: true });
  await written("1", "2", "3");
  assert.equal(await readFile(path, "utf8"), "1\n2\n");
  await rm(`${path}.1`, { recursive: true });
  await written("4");
  assert.deepEqual(await contents(), {
    log: "4\n",
    "log.1": "lost 1\n",
  });
});

test("[REC-27] a log goes along with its directory, and nothing is written into another that has its name", async (t) => {
  const { directory, path, written } = await logIn(t, { maxBytes: 6 });
  await written("1");
  await rename(directory, `${directory}-away`);
  await mkdir(directory);
  await written("2", "3", "4");
  assert.deepEqual(await readdir(directory), []);
  await rmdir(directory);
  await rename(`${directory}-away`, directory);
  assert.equal(await readFile(path, "utf8"), "1\n2\n3\n");
  await written("5");
  assert.deepEqual(
    await Promise.all(
      [path, `${path}.1`, `${path}.2`].map((each) => readFile(each, "utf8")),
    ),
    ["5\n", "lost 1\n", "1\n2\n3\n"],
  );
});

test("a log that another program moved away or cut off is gone on with", async (t) => {
  const { path, written, contents } = await logIn(t);
  await written("1");
  await rename(path, `${path}.old`);
  await written("2");
  assert.deepEqual(await contents(), { log: "2\n", "log.old": "1\n" });
  await truncate(path);
  await written("3");
  assert.equal(await readFile(path, "utf8"), "3\n");
});

const touched = async (path: string): Promise<string> => {
  const log = new LogFile({ path, tellLost: () => "" });
  log.write("old\n");
  await log.close();
  return path;
};
