/** Extended attributes where a file system has none, and where it has room for many. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chownSync,
  lstatSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Bench } from "../../src/checkpoint/fixtures/bench.ts";
import { noise } from "../../src/checkpoint/fixtures/damage.ts";
import {
  ACCESS,
  aclOf,
  CAPABILITY,
  netRaw,
  setXattr,
  xattrsUnder,
} from "../../src/checkpoint/fixtures/xattr.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { changedTo, say, seenUntil, TestHouse } from "../e2e/house.ts";
import { diskTest } from "./small-disk.ts";

/** Another file system in a directory, for as long as the work takes. */
const mounted = async (
  kind: "ramfs" | "tmpfs",
  path: string,
  work: () => Promise<void>,
): Promise<void> => {
  mkdirSync(path);
  execFileSync("mount", ["-t", kind, "none", path]);
  try {
    await work();
  } finally {
    execFileSync("umount", [path]);
  }
};

const modeOf = (path: string): string =>
  (lstatSync(path).mode & 0o7777).toString(8);

const acl = aclOf({ owner: 6, user: 6, group: 4, mask: 6, other: 0 });

diskTest(
  "[CHK-42] where a file system has no ACLs, nobody gets more than he had, and it is told",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    const at = (name: string): string => join(bench.workspace, name);
    mkdirSync(at("d"));
    for (const name of ["d/acl", "note", "program", "plain"])
      writeFileSync(at(name), name, { mode: 0o640 });
    setXattr(at("d/acl"), ACCESS, acl);
    setXattr(
      at("d"),
      ACCESS,
      aclOf({ owner: 7, user: 7, group: 5, mask: 7, other: 0 }),
    );
    setXattr(at("note"), "user.note", Buffer.from("x"));
    setXattr(at("program"), CAPABILITY, netRaw());
    assert.equal(modeOf(at("d/acl")), "660", "the mask, not the group");
    const { tree } = await bench.save();
    const bare = bench.place();
    await mounted("ramfs", bare, async () => {
      const into = join(bare, "restored");
      const { incomplete } = await bench.restore(tree, into);
      assert.deepEqual(incomplete.toSorted(), [
        "d",
        "d/acl",
        "note",
        "program",
      ]);
      const modes = ["d", "d/acl", "note", "plain"].map((name) =>
        modeOf(join(into, name)),
      );
      assert.deepEqual(modes, ["750", "640", "640", "640"]);
      // Again, in place: nothing widens.
      chownSync(join(into, "plain"), 0, 7);
      const again = await bench.restore(tree, into);
      assert.deepEqual(again.incomplete.toSorted(), incomplete.toSorted());
      assert.equal(modeOf(join(into, "d/acl")), "640");
    });
  },
);

diskTest(
  "[CHK-41] what is too large is left out and told, and permissions are kept all the same",
  async (disk) => {
    await using bench = await Bench.make(disk.path);
    const roomy = bench.place();
    await mounted("tmpfs", roomy, async () => {
      const root = join(roomy, "work");
      mkdirSync(root);
      writeFileSync(join(root, "laden"), "x");
      setXattr(join(root, "laden"), ACCESS, acl);
      setXattr(join(root, "laden"), "user.large", noise(30_000));
      const { tree, left_out } = await bench.save({ root, cacheKey: null });
      assert.deepEqual(left_out, [{ path: "laden", reason: "attributes" }]);
      const place = join(roomy, "place");
      const { incomplete } = await bench.restore(tree, place);
      assert.deepEqual(incomplete, ["laden"]);
      const had = [`laden ${ACCESS}=${acl.toString("hex")}`];
      assert.deepEqual(xattrsUnder(place), had);
      // In place, what was not captured is left alone.
      setXattr(
        join(root, "laden"),
        ACCESS,
        aclOf({ owner: 6, user: 0, group: 0, mask: 6, other: 0 }),
      );
      const large = xattrsUnder(root).filter((it) => it.includes("user.large"));
      await bench.restore(tree, root);
      assert.deepEqual(xattrsUnder(root), [...had, ...large]);
    });
  },
);

diskTest(
  "[CHK-42] a session is told when its workspace comes back without attributes, by a resume and by a rewind",
  async (disk) => {
    await using house = await TestHouse.make();
    const parent = join(disk.path, "parent");
    const cwd = join(parent, "work");
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "acl"), "x", { mode: 0o640 });
    setXattr(join(cwd, "acl"), ACCESS, acl);
    const { client } = await house.up();
    const { id } = await client.createSession({ cwd });
    await say(client, id, "write one.txt 1");
    await say(client, id, "write two.txt 2");
    await client.pauseSession(id);
    await seenUntil(client, id, changedTo("PAUSED"));
    rmSync(parent, { recursive: true });
    await mounted("ramfs", parent, async () => {
      await client.resumeSession(id);
      const told = (event: Event): boolean =>
        event.type === "session.notice" &&
        event.data.code === "attributes_left_out";
      const resumed = await seenUntil(client, id, told);
      assert.equal(modeOf(join(cwd, "acl")), "640");
      await client.rewindSession(id, { turn: 1 });
      await seenUntil(client, id, told, resumed.at(-1)?.seq ?? 0);
      await client.pauseSession(id);
    });
  },
);
