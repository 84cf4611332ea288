/**
 * One bit of the database file is another, as a failing disk or memory has it. Whatever is served then is what was
 * written, or somebody is told that it is not.
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Chance } from "../chaos/random.ts";
import { makeDatabase } from "./sample-database.ts";
import { servedBy } from "./served.ts";

const FLIPS = Number(process.env["REPRISE_FLIPS"] ?? 250);

test("[STO-2] [STO-4] [STO-5] [STO-6] no flipped bit changes what is served without being noticed", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-flips-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "reprise.db");
  const made = await makeDatabase(path);
  const before = servedBy(path, made);
  assert.ok(before !== null && before.size > 50);
  assert.ok([...before.values()].every((answer) => answer !== null));
  const good = await readFile(path);

  const seed = Number(process.env["REPRISE_SEED"] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}: ${FLIPS} flips in ${good.length} bytes`);
  const chance = new Chance(seed);
  const tally = { harmless: 0, noticed: 0, "noticed at the start": 0 };
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const at = chance.between(0, good.length - 1);
    const bit = chance.between(0, 7);
    const bytes = Buffer.from(good);
    bytes[at] = bytes[at]! ^ (1 << bit);
    await writeFile(path, bytes);
    const after = servedBy(path, made);
    if (after === null) {
      tally["noticed at the start"] += 1;
      continue;
    }
    const silent: string[] = [...before.keys()].filter(
      (what) =>
        after.get(what) !== null && after.get(what) !== before.get(what),
    );
    assert.deepEqual(
      silent,
      [],
      `seed ${seed}: bit ${bit} of byte ${at} (page ${Math.floor(at / 4096) + 1})`,
    );
    const isHarmless = [...after.values()].every((answer) => answer !== null);
    tally[isHarmless ? "harmless" : "noticed"] += 1;
  }
  console.log(tally);
  assert.ok(tally.noticed > 0);
});
