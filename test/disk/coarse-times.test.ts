/** Workspaces on a file system that counts whole seconds: ext4 with inodes of 128 bytes has no room for more. */
import assert from "node:assert/strict";
import {
  linkSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Bench } from "../../src/checkpoint/fixtures/bench.ts";
import { judge } from "../../src/checkpoint/fixtures/judge.ts";
import { LookAgain } from "../../src/checkpoint/fixtures/look-again.ts";
import { setXattr, xattrsUnder } from "../../src/checkpoint/fixtures/xattr.ts";
import { diskTest } from "./small-disk.ts";

const WHOLE_SECONDS = ["-I", "128"];
const ROUNDS = 12;

diskTest(
  "[CHK-30] where times are whole seconds, a file that changes within one is captured each time",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(join(bench.workspace, "file"), `version ${round % 10}`);
      const { tree } = await bench.save();
      const read = Buffer.from(await bench.vault.read(tree, "file"));
      assert.equal(read.toString(), `version ${round % 10}`);
    }
  },
  WHOLE_SECONDS,
);

diskTest(
  "[CHK-30] where times are whole seconds, what is added, linked or put in another's place within one is captured",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    const at = (name: string): string => join(bench.workspace, name);
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(at(`new ${round}`), `text ${round % 10}`);
      symlinkSync(`new ${round}`, at("draft"));
      renameSync(at("draft"), at("link"));
      writeFileSync(at("other"), `OTHER ${round % 10}`);
      renameSync(at("other"), at("same name"));
      linkSync(at(`new ${round}`), at(`second name ${round}`));
      const { tree } = await bench.save();
      await bench.assertIs(tree, judge(bench.workspace));
    }
  },
  WHOLE_SECONDS,
);

diskTest(
  "[CHK-30] [CHK-41] where times are whole seconds, attributes that change within one are captured",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    const at = (name: string): string => join(bench.workspace, name);
    mkdirSync(at("directory"));
    writeFileSync(at("file"), "text");
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const path of [bench.workspace, at("directory"), at("file")])
        setXattr(path, "user.round", Buffer.from(String(round)));
      const { tree } = await bench.save();
      const place = bench.place();
      await bench.restore(tree, place);
      assert.deepEqual(xattrsUnder(place), xattrsUnder(bench.workspace));
    }
  },
  WHOLE_SECONDS,
);

diskTest(
  "[CHK-31] where times are whole seconds, a clock that was set back makes every file be read again",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    writeFileSync(join(bench.workspace, "file"), "text");
    const again = new LookAgain(bench, bench.workspace);
    while ((await again.look()) > 0);
    again.setClockBack(2000);
    assert.equal(await again.look(), 1);
  },
  WHOLE_SECONDS,
);
