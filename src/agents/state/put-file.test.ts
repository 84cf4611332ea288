import assert from "node:assert/strict";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratch } from "../fixtures/scratch.ts";
import { putLines, putNew } from "./put-file.ts";

test("[P8] drafts of one who was killed are swept, and nothing else is", async (t) => {
  const directory = scratch(t);
  const source = join(scratch(t), "source.jsonl");
  writeFileSync(source, "{}\n");
  const [old, fresh] = [".reprise-0123456789ab", ".reprise-ba9876543210"];
  const theirs = [".reprise-notes", "reprise-0123456789ab"];
  for (const name of [old, fresh, ...theirs])
    writeFileSync(join(directory, name), "");
  for (const name of [old, ...theirs]) utimesSync(join(directory, name), 1, 1);
  const placed = await putLines(source, join(directory, "s.jsonl"), () => null);
  assert.equal(placed, "placed");
  assert.deepEqual(
    readdirSync(directory).sort(),
    [fresh, ...theirs, "s.jsonl"].sort(),
  );
});

test("[REC-39] a draft that is being written stays, however old the clock makes it", async (t) => {
  const directory = scratch(t);
  const content = async function* () {
    yield Buffer.from("one ");
    const now = Date.now();
    t.mock.method(Date, "now", () => now + 86_400_000);
    assert.equal(await putNew(join(directory, "other"), ["other"]), true);
    yield Buffer.from("two");
  };
  assert.equal(await putNew(join(directory, "file"), content()), true);
  assert.deepEqual(readdirSync(directory).sort(), ["file", "other"]);
});
