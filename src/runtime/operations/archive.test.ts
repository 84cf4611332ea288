import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MANIFEST } from "../../contract/archive.ts";
import { readArchive } from "./archive.ts";

test("[API-113] an archive whose manifest nests too deeply is damaged", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-archive-"));
  t.after(() => rm(directory, { recursive: true }));
  const deep = `{"version":1,"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  await writeFile(join(directory, MANIFEST), deep);
  await assert.rejects(readArchive(directory, new Set()), {
    code: "damaged_archive",
    message: /nests too deeply/,
  });
});
