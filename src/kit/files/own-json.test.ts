import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ownJsonOrNull, readOwnJson } from "./own-json.ts";

const parse = (document: unknown): { pid: number } => {
  if (typeof document !== "object" || document === null || !("pid" in document))
    throw new Error("it has no pid");
  const { pid } = document;
  if (typeof pid !== "number") throw new Error("its pid is no number");
  return { pid };
};

test("[LNK-92] a JSON file of ours is read in its shape, or found absent or damaged, and never believed when it is not ours", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-json-"));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, "file.json");
  const read = () => readOwnJson(path, parse);
  const orNull = () => ownJsonOrNull(path, parse);
  assert.equal(await read(), "absent");
  assert.equal(await orNull(), null);
  for (const text of ["", "{", "null", '{"pid":"1"}']) {
    await writeFile(path, text, { mode: 0o600 });
    assert.equal(await read(), "damaged", text);
    assert.equal(await orNull(), null);
  }
  await writeFile(path, '{"pid":1,"more":2}');
  assert.deepEqual(await read(), { pid: 1 });
  assert.deepEqual(await orNull(), { pid: 1 });
  await chmod(path, 0o622);
  await assert.rejects(read(), { code: "not_ours" });
  assert.equal(await orNull(), null);
  await rm(path);
  execFileSync("mkfifo", ["-m", "600", path]);
  assert.equal(await read(), "damaged");
});
