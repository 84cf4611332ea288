import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bytesConformance } from "../fixtures/bytes-conformance.ts";
import { FolderBytes } from "./folder.ts";

const withFolder = async (
  work: (bytes: FolderBytes, path: string) => Promise<void>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-bytes-"));
  const path = join(directory, "packs");
  const bytes = new FolderBytes(path);
  try {
    await work(bytes, path);
  } finally {
    await bytes.close();
    rmSync(directory, { recursive: true });
  }
};

bytesConformance("a folder", withFolder);

test("a folder is its owner's alone", () =>
  withFolder(async (bytes, path) => {
    const draft = await bytes.draft("a.pack");
    await draft.seal();
    assert.equal(statSync(path).mode & 0o777, 0o700);
    assert.equal(statSync(join(path, "a.pack")).mode & 0o777, 0o600);
  }));

test("[CHK-15] a folder is swept of what nobody will finish", () =>
  withFolder(async (bytes, path) => {
    const draft = await bytes.draft("a.pack");
    await draft.append(Buffer.from("half"));
    assert.equal(readdirSync(path).length, 1);
    bytes.sweep();
    assert.deepEqual(readdirSync(path), []);
    await draft.discard();
  }));
