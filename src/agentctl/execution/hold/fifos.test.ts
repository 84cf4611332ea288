import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Fifos } from "./fifos.ts";
import { until } from "../../../kit/fixtures/patience.ts";

const daemon = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "fifos-"));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
};

const assertFifos = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const found = await stat(path);
    assert.ok(found.isFIFO());
    assert.equal(found.mode & 0o777, 0o600);
  }
};

test("as many as are asked for, however many lie ready", async (t) => {
  const directory = await daemon(t);
  const fifos = await Fifos.open(join(directory, "ready"));
  const paths = Array.from({ length: 40 }, (_, n) => join(directory, `${n}`));
  for (let n = 0; n < paths.length; n += 2)
    await fifos.make(paths.slice(n, n + 2));
  await assertFifos(paths);
});

test("what one that died left ready is used, and what is not there any more is made", async (t) => {
  const directory = await daemon(t);
  const ready = join(directory, "ready");
  const before = await Fifos.open(ready);
  await until(async () => (await readdir(ready)).length === 16);
  await before.make([join(directory, "a")]);
  const left = await readdir(ready);
  const after = await Fifos.open(ready);
  await rm(join(ready, left.at(-1) ?? ""));
  const paths = [join(directory, "b"), join(directory, "c")];
  await after.make(paths);
  await assertFifos(paths);
  assert.equal((await readdir(ready)).length, left.length - 2);
});
