/** A workspace on a file system whose clock may not be ours. Linux has one everywhere: the memory at /dev/shm. */
import assert from "node:assert/strict";
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "./fixtures/bench.ts";
import { LookAgain } from "./fixtures/look-again.ts";

test(
  "[CHK-31] the newest file there is read twice, however old our clock says it is",
  { skip: process.platform === "linux" ? false : "needs /dev/shm" },
  async () => {
    await using bench = await Bench.make();
    const root = mkdtempSync("/dev/shm/reprise-clocks-");
    try {
      const path = join(root, "file");
      writeFileSync(path, "text");
      const { ctimeMs } = lstatSync(path);
      await until(ctimeMs + 100);
      const again = new LookAgain(bench, root);
      assert.equal(await again.look(), 1);
      await until(Date.now() + 100);
      assert.equal(await again.look(), 1);
      assert.equal(await again.look(), 0);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

/** Our clock shows this time. */
const until = async (time: number): Promise<void> => {
  while (Date.now() <= time) await new Promise(setImmediate);
};
