import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readPlain } from "./read-plain.ts";

test("a small plain file is read, and nothing else is followed, waited for or read", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-plain-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const at = (name: string): string => join(directory, name);
  writeFileSync(at("exact"), "12345678");
  writeFileSync(at("large"), "secret words");
  mkdirSync(at("directory"));
  symlinkSync("exact", at("link"));
  execFileSync("mkfifo", [at("fifo")]);
  assert.equal(await readPlain(at("exact"), 8), "12345678");
  assert.equal(await readPlain(at("none"), 8), null);
  const endless = Number.MAX_SAFE_INTEGER;
  assert.equal(
    await readPlain(at("exact"), endless),
    "12345678",
    "no more memory than the file needs",
  );
  assert.equal(await readPlain(at("link"), 8, { follow: true }), "12345678");
  symlinkSync("fifo", at("linked-fifo"));
  await assert.rejects(readPlain(at("linked-fifo"), 8, { follow: true }));
  for (const name of ["large", "directory", "link", "fifo"])
    await assert.rejects(
      readPlain(at(name), 8),
      ({ message }: Error) => !message.includes("secret"),
      name,
    );
});
