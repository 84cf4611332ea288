/** What several threads do together. */
import { SIDE_WORKER } from "../workers/programs.ts";
import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Arena } from "../trees/arena.ts";
import { Trees } from "../capture/build-trees.ts";
import { FolderBytes } from "../bytes/folder.ts";
import { Contents } from "../capture/contents.ts";
import { Bench, unheard } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import { fillLargeWorkspace } from "../fixtures/workspace.ts";
import { hashOf, type Hash } from "../format/hash.ts";
import { SideWorkers, SHARED_FROM } from "./side-workers.ts";
import { blocksOf } from "../packs/pack.ts";
import { Readers } from "./readers.ts";
import { SharedHashes } from "../packs/shared-hashes.ts";
import { Sketch } from "../packs/sink.ts";

test("[CHK-28] what several threads save and restore is the same as with one, and stored once", async () => {
  await using bench = await Bench.make();
  await using other = await Bench.make();
  const root = bench.workspace;
  fillLargeWorkspace(root);
  const { tree } = await bench.save();
  const packs = await objectsIn(bench.packs);
  const all = packs.flat();
  assert.equal(new Set(all).size, all.length);
  if (availableParallelism() > 1) assert.ok(packs.length > 1, "they shared it");

  await other.save({ root, leaveOut: [join(root, "b")] });
  const alone = await other.save({ root });
  assert.equal(
    (await objectsIn(other.packs)).length,
    2,
    "there was one thread",
  );
  assert.equal(tree, alone.tree);
  await bench.assertIs(tree, judge(root));
});

test("[CHK-28] a save that is to leave the processors to others has one thread", async () => {
  await using bench = await Bench.make();
  fillLargeWorkspace(bench.workspace);
  await bench.save({ giveWayMs: 1 });
  assert.equal((await objectsIn(bench.packs)).length, 1);
});

test("[CHK-17] [CHK-28] damage that one thread finds is the failure of the restore", async () => {
  await using bench = await Bench.make();
  fillLargeWorkspace(bench.workspace);
  const { tree } = await bench.save();
  for (const name of readdirSync(bench.packs)) {
    const path = join(bench.packs, name);
    const bytes = readFileSync(path);
    // In the content of the last block. Those that hold directories have to stay as they are.
    if ((await kindsIn(bench.packs, name)).has("tree")) continue;
    bytes.fill(0xff, bytes.length - 500, bytes.length - 100);
    writeFileSync(path, bytes);
  }
  await bench.reopen();
  await assert.rejects(bench.restore(tree, bench.place()), { code: "damaged" });
});

test("[CHK-28] when one thread fails, nobody begins anything more", async () => {
  await using bench = await Bench.make();
  const sideWorkers = new SideWorkers(
    SIDE_WORKER,
    bench.site,
    unheard,
    new SharedArrayBuffer(4),
    2,
  );
  const into = bench.place();
  mkdirSync(into);
  const file = (name: string, pack: string) => ({
    root: into,
    kind: "pieces" as const,
    file: {
      target: {
        path: name,
        mode: 0o600,
        mtime: { seconds: 0, nanoseconds: 0 },
        xattrs: "",
        restoreId: null,
      },
      size: 1,
      pieces: [{ position: 0, hash: "", pack, block: 0, at: 0, length: 1 }],
    },
  });
  const parts = Array.from({ length: 100 }, (_, i) =>
    file(`${i}`, "missing.pack"),
  );
  await assert.rejects(sideWorkers.share("makeFiles", parts), {
    code: "missing",
  });
  assert.deepEqual(readdirSync(into), []);
  await assert.rejects(
    sideWorkers.ask("makeFiles", file("x", "missing.pack")),
    {
      code: "missing",
    },
  );
  await sideWorkers.close();
});

test("[CHK-28] when a thread that reads fails, the one that was asked reads nothing more", async () => {
  await using bench = await Bench.make();
  const nowhere = bench.place();
  writeFileSync(nowhere, "");
  const site = { ...bench.site, packs: join(nowhere, "packs") };
  const abort = new SharedArrayBuffer(4);
  const readers = new Readers(
    new SideWorkers(SIDE_WORKER, site, unheard, abort, 1),
  );
  const arena = new Arena();
  const sink = new Sketch({
    object: () => assert.fail("nothing is asked for"),
  });
  let read = 0;
  const contents = new Contents({
    root: bench.workspace,
    arena,
    sink,
    trees: new Trees(arena, sink, () => false),
    clock: {
      startedAt: 0,
      newest: 0,
      sinceLast: 0,
      wasSetBack: false,
      now: () => 0,
    },
    isAborted: () => {
      read += 1;
      return false;
    },
    readers,
  });
  const seen = lstatSync(nowhere);
  seen.size = SHARED_FROM / 8;
  for (const row of Array.from({ length: 16 }, () => arena.add(1)))
    contents.add(row, "file", seen);
  const batch = { root: "", startedAt: 0, newest: 0, paths: [], sizes: [] };
  await assert.rejects(readers.read({ ...batch, mtimes: [], ctimes: [] }));
  await assert.rejects(contents.finish(), { code: "storage_failed" });
  assert.equal(read, 0);
  await readers.close();
});

test("[CHK-28] of several who take an object one gets it, and full tables only cost room", () => {
  const ours = new SharedHashes();
  const theirs = new SharedHashes(ours.memory);
  const hashes = Array.from({ length: 5000 }, (_, i) =>
    hashOf(Buffer.from(`${i}`)),
  );
  for (const [i, hash] of hashes.entries())
    assert.ok((i % 2 === 0 ? ours : theirs).take(hash));
  for (const hash of hashes) {
    assert.ok(!ours.take(hash));
    assert.ok(!theirs.take(hash));
  }
  // All of these belong at the same place.
  const crowd = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(64, "f"));
  const taken = crowd.filter((hash) => ours.take(hash));
  assert.deepEqual(taken, crowd);
  assert.ok(crowd.some((hash) => !theirs.take(hash)));
});

/** Of each pack. */
const objectsIn = async (packs: string): Promise<Hash[][]> => {
  const found: Hash[][] = [];
  const bytes = new FolderBytes(packs);
  for (const stored of await bytes.list()) {
    const hashes: Hash[] = [];
    for await (const { placed } of blocksOf(bytes, stored, assert.ifError))
      hashes.push(...placed.map(({ hash }) => hash));
    found.push(hashes);
  }
  await bytes.close();
  return found;
};

const kindsIn = async (packs: string, name: string): Promise<Set<string>> => {
  const kinds = new Set<string>();
  const bytes = new FolderBytes(packs);
  for (const stored of await bytes.list())
    if (stored.name === name)
      for await (const { placed } of blocksOf(bytes, stored, assert.ifError))
        for (const { kind } of placed) kinds.add(kind);
  await bytes.close();
  return kinds;
};
