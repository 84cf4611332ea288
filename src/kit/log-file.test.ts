import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LogFile } from "./log-file.ts";

const tellLost = (lines: number): string => `lost ${lines}\n`;

test("lines are written in order, for their owner only", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-log-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "log");
  const log = new LogFile(path, tellLost);
  for (const line of ["a\n", "b\n"]) log.write(line);
  await log.flush();
  log.write("c\n");
  await log.flush();
  assert.equal(await readFile(path, "utf8"), "a\nb\nc\n");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("what cannot be written is dropped, and its number is told when it can be", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-log-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "log");
  await mkdir(path);
  const log = new LogFile(path, tellLost);
  log.write("a\n");
  await log.flush();
  for (const line of ["b\n", "c\n"]) log.write(line);
  await log.flush();
  await rmdir(path);
  log.write("d\n");
  log.write("e\n");
  await log.flush();
  assert.equal(await readFile(path, "utf8"), "lost 3\nd\ne\n");
});
