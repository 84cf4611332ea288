import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Term } from "./term.ts";

const daemon = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "term-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

test("[LNK-6] [P4] of many terms at once the highest is the one that rests on disk, and the only one that is let in", async (t) => {
  const directory = await daemon(t);
  for (let round = 0; round < 20; round += 1) {
    const terms = await Term.open(directory);
    const first = terms.highest;
    const claimed = await Promise.all(
      [1, 2, 3, 4].map((n) => terms.claim(first + n)),
    );
    assert.deepEqual(claimed, [false, false, false, true]);
    const text = await readFile(join(directory, "term"), "utf8");
    assert.equal(text, `${first + 4}\n`);
  }
});

test("[LNK-6] a claim that cannot be written fails, and the next one is tried again", async (t) => {
  const directory = await daemon(t);
  const terms = await Term.open(directory);
  await rm(directory, { recursive: true });
  await assert.rejects(terms.claim(1), { code: "ENOENT" });
  assert.equal(await terms.claim(0), false);
});

const HUGE = "99999999999999999999\n";

test("[REC-21] [REC-65] a file that a failing disk has spoilt locks no server out", async (t) => {
  const directory = await daemon(t);
  for (const spoilt of ["", "\0\0\0", "-7\n", "9999999\n", HUGE]) {
    await writeFile(join(directory, "term"), spoilt);
    const terms = await Term.open(directory);
    assert.equal(terms.highest, 0, JSON.stringify(spoilt));
    assert.equal(await terms.claim(1), true);
  }
});

test("half-written files of one that died are swept, and nothing else", async (t) => {
  const directory = await daemon(t);
  for (const name of ["term.0123456789ab", "term.old", "token.0123456789ab"])
    await writeFile(join(directory, name), "");
  await Term.open(directory);
  assert.deepEqual((await readdir(directory)).toSorted(), [
    "term.old",
    "token.0123456789ab",
  ]);
});
