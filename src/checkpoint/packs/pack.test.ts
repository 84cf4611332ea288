import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { BLOCK, MAX_OBJECTS, MAX_RAW } from "../format/block.ts";
import { FolderBytes } from "../bytes/folder.ts";
import { Bench } from "../fixtures/bench.ts";
import { PackWriter } from "./pack-writer.ts";
import { blocksOf, type BlockAt } from "./pack.ts";

test("[CHK-13] blocks are closed in time, and hold data or directories", async () => {
  await using bench = await Bench.make();
  const bytes = new FolderBytes(bench.packs);
  const writer = new PackWriter(bench.objects());
  for (let n = 0; n <= MAX_OBJECTS; n++) {
    writer.add("data", Buffer.from(`${n}`));
    if (n % 500 === 0) writer.add("tree", Buffer.from(`T${n}`));
  }
  for (let n = 0; n < 30; n++) writer.add("data", randomBytes(100_000));
  await writer.finish();

  const blocks = await blocksIn(bytes);
  assert.ok(blocks.some(({ placed }) => placed.length === MAX_OBJECTS));
  assert.ok(blocks.some(({ header }) => header.rawLength >= BLOCK));
  for (const { header, placed } of blocks) {
    assert.ok(placed.length <= MAX_OBJECTS);
    const last = placed.at(-1)?.length ?? 0;
    assert.ok(header.rawLength - last < BLOCK, "closed when it was full");
    const trees = placed.filter(({ kind }) => kind === "tree").length;
    assert.ok(trees === 0 || trees === placed.length, "of one kind");
  }
});

test("[CHK-13] what could not be read again is not written: a directory of too many names is a failure", async () => {
  await using bench = await Bench.make();
  const writer = new PackWriter(bench.objects());
  writer.add("tree", Buffer.alloc(BLOCK - 1));
  const most = MAX_RAW - BLOCK;
  const hash = writer.add("tree", Buffer.alloc(most, "n"));
  await writer.finish();
  const objects = bench.objects();
  await objects.refresh();
  assert.equal((await objects.object(hash)).length, most);
  assert.throws(() => writer.add("tree", Buffer.alloc(most + 1)), {
    code: "too_large",
  });
});

const blocksIn = async (bytes: FolderBytes): Promise<BlockAt[]> => {
  const found: BlockAt[] = [];
  for (const stored of await bytes.list())
    for await (const block of blocksOf(bytes, stored, assert.ifError))
      found.push(block);
  await bytes.close();
  return found;
};
