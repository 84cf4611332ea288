import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { prompt, SESSION } from "../session/testing.ts";
import { CursorFiles } from "./cursor-file.ts";

test("[ACP-10] what a client was told is read back, by session and client; what is damaged is nothing", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-cursor-"));
  t.after(() => rm(home, { recursive: true }));
  const files = new CursorFiles(home, "editor");
  assert.equal(await files.read(SESSION), null);
  const file = await files.open(SESSION);
  file?.write({ seq: 7, prompt: null });
  assert.deepEqual(await files.read(SESSION), { seq: 7, prompt: null });
  file?.write({ seq: 12_345, prompt: prompt(3) });
  file?.close();
  // Its number may be another file's by now.
  file?.write({ seq: 99_999, prompt: null });
  file?.close();
  const told = { seq: 12_345, prompt: prompt(3) };
  assert.deepEqual(await files.read(SESSION), told);
  assert.equal(await new CursorFiles(home, "other").read(SESSION), null);

  const [directory = ""] = await readdir(join(home, "acp"));
  await writeFile(join(home, "acp", directory, SESSION), "nonsense");
  assert.equal(await files.read(SESSION), null);
  files.remove(SESSION);
  assert.deepEqual(await readdir(join(home, "acp", directory)), []);
});

test("[ACP-10] a home that is not there is not made for it", async () => {
  const files = new CursorFiles("/nowhere/at/all", "editor");
  assert.equal(await files.open(SESSION), null);
  assert.equal(await files.read(SESSION), null);
});
