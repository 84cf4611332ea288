/** Workspaces on a file system that is stacked on another one, as in a container. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../src/checkpoint/fixtures/bench.ts";
import { MappedFile } from "../../src/checkpoint/fixtures/mapped-file.ts";
import { diskTest, type SmallDisk } from "./small-disk.ts";

/** Directories of an overlay: what is beneath it, what is written, and where it is seen. */
const stacked = async (
  disk: SmallDisk,
  work: (merged: string) => Promise<void>,
): Promise<void> => {
  const [lower, upper, workdir, merged] = ["l", "u", "w", "m"].map((name) => {
    mkdirSync(join(disk.path, name));
    return join(disk.path, name);
  });
  if (merged === undefined) throw new Error("there is no place to mount");
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${workdir}`;
  execFileSync("mount", ["-t", "overlay", "-o", options, "overlay", merged]);
  try {
    await work(merged);
  } finally {
    execFileSync("umount", [merged]);
  }
};

diskTest(
  "[CHK-32] on an overlay, what is stored through a mapping is captured each time",
  (disk) =>
    stacked(disk, async (merged) => {
      await using bench = await Bench.make(merged);
      const path = join(bench.workspace, "mapped");
      writeFileSync(path, "0".repeat(5000));
      using mapped = new MappedFile(path);
      mapped.store("before");
      await settled(path);
      // Otherwise it would be read again for being the newest.
      writeFileSync(join(bench.workspace, "newer"), "");
      await settled(join(bench.workspace, "newer"));
      for (const [then, next] of [
        ["before", "first "],
        ["first ", "second"],
        ["second", "third "],
      ] as const) {
        const { tree } = await bench.save();
        const read = Buffer.from(await bench.vault.read(tree, "mapped"));
        assert.equal(read.toString("latin1", 0, 6), then);
        mapped.store(next);
      }
    }),
);

const settled = async (path: string): Promise<void> => {
  const { ctimeMs } = lstatSync(path);
  while (Date.now() <= ctimeMs + 100) await new Promise(setImmediate);
};
