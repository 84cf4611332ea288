/** What somebody else's files may do here. */
import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import {
  CAPABILITY,
  netRaw,
  setXattr,
  xattrsUnder,
} from "../fixtures/xattr.ts";
import type { Hash } from "../format/hash.ts";

test("[CHK-42] what is imported is not privileged by it: no setuid, no setgid, no capabilities, then or later", async () => {
  await using here = await Bench.make();
  await using there = await Bench.make();
  const at = (name: string): string => join(here.workspace, name);
  for (const name of ["user", "group", "plain"]) writeFileSync(at(name), name);
  mkdirSync(at("shared"));
  chmodSync(at("user"), 0o4755);
  chmodSync(at("group"), 0o2755);
  chmodSync(at("shared"), 0o2775);
  let privileged = 2;
  if (process.getuid?.() === 0) {
    writeFileSync(at("capable"), "");
    setXattr(at("capable"), CAPABILITY, netRaw());
    privileged += 1;
  }
  setXattr(at("plain"), "user.note", Buffer.from("kept"));
  const { tree } = await here.save();
  const file = join(here.directory, "session.reprise");
  await here.vault.exportTo(file, [tree], []);
  const checked = await there.vault.checkArchive(file);
  const imported = await there.vault.importFrom(file);
  assert.deepEqual(
    [checked.privileged, imported.privileged],
    [privileged, privileged],
  );

  const modes = (root: string) =>
    ["user", "group", "plain", "shared"].map((name) =>
      (lstatSync(join(root, name)).mode & 0o7777).toString(8),
    );
  for (const round of ["at once", "after a restart"]) {
    const place = there.place();
    await there.restore(tree, place);
    assert.deepEqual(modes(place), ["755", "755", "644", "2775"], round);
    assert.deepEqual(xattrsUnder(place), ["plain user.note=6b657074"]);
    const compared = await there.vault.compare(tree, {
      root: place,
      cacheKey: null,
    });
    assert.deepEqual(compared, [], "that is how it shall be");
    // What somebody here makes of it is his own.
    chmodSync(join(place, "user"), 0o4755);
    const own = await there.save({ root: place, cacheKey: null });
    const again = there.place();
    await there.restore(own.tree, again);
    assert.deepEqual(modes(again), ["4755", "755", "644", "2775"], round);
    await there.restore(tree, again);
    assert.deepEqual(modes(again), ["755", "755", "644", "2775"], round);
    await there.reopen();
  }
  await here.restore(tree);
  assert.deepEqual(modes(here.workspace), ["4755", "2755", "644", "2775"]);

  const lists = () => readdirSync(join(there.directory, "vault/imported"));
  const prune = (roots: Hash[]) =>
    there.vault.prune(there.vault.beginPrune(), roots, { dryRun: false });
  await prune([tree]);
  assert.equal(lists().length, 1);
  await there.reopen();
  await prune([]);
  assert.deepEqual(lists(), []);
});
