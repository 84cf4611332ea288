/** What the vault does on a full disk: nothing is half done, and there is room again later. */
import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../src/checkpoint/fixtures/bench.ts";
import { judge } from "../../src/checkpoint/fixtures/judge.ts";
import { diskTest } from "./small-disk.ts";

diskTest(
  "[REC-15] [CHK-14] a checkpoint that does not fit says so, and the ones before it stay",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    writeFileSync(join(bench.workspace, "small"), "fits");
    const first = await bench.save();
    const was = judge(bench.workspace);
    writeFileSync(join(bench.workspace, "large"), noise(2_000_000));
    await disk.fill();
    await assert.rejects(bench.save(), { code: "storage_full" });
    assert.deepEqual(
      readdirSync(bench.packs).filter((name) => name.endsWith(".draft")),
      [],
    );
    await disk.free();
    await bench.assertIs(first.tree, was);
    const second = await bench.save();
    await bench.assertIs(second.tree, judge(bench.workspace));
  },
);

diskTest(
  "[REC-15] [CHK-20] a restore that does not fit says so, and is finished when there is room",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    for (const name of ["a", "b", "c"])
      writeFileSync(join(bench.workspace, name), noise(900_000));
    const { tree } = await bench.save();
    const was = judge(bench.workspace);
    for (const name of ["a", "b"]) rmSync(join(bench.workspace, name));
    await disk.fill();
    await assert.rejects(bench.restore(tree), { code: "storage_full" });
    await disk.free();
    await bench.restore(tree);
    assert.deepEqual(judge(bench.workspace), was);
  },
);

/** Bytes that do not compress. */
const noise = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let state = size;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE((state ^ (state >>> 13)) >>> 0, at);
  }
  return bytes;
};
