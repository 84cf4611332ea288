/** What is captured, what is not, and how both are told. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import { fillWorkspace } from "../fixtures/workspace.ts";
import { openVault } from "../open-vault.ts";

test("[CHK-10] equal directories have equal hashes, whoever looks", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  const { tree, files, bytes } = await bench.save();
  assert.equal(files, 11);
  assert.ok(bytes > 7_500_000);
  const copy = bench.place();
  await bench.restore(tree, copy);
  const there = await bench.save({ root: copy, cacheKey: null });
  assert.equal(there.tree, tree);
  assert.equal(there.new_bytes, 0);
});

test("[CHK-2] links are captured as they are and never followed", async () => {
  await using bench = await Bench.make();
  const outside = bench.place();
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "not ours");
  symlinkSync(outside, join(bench.workspace, "out"));
  const { tree, files } = await bench.save();
  assert.equal(files, 0);
  const listed = await bench.vault.list(tree);
  assert.deepEqual(
    listed.map(({ path, kind, target }) => [path, kind, target]),
    [
      ["", "directory", null],
      ["out", "link", outside],
    ],
  );
});

test("[CHK-3] what may not be read is named, and the rest is captured", async () => {
  await using bench = await Bench.make();
  const root = join(bench.directory, "mixed");
  mkdirSync(join(root, "closed"), { recursive: true });
  writeFileSync(join(root, "open"), "for all");
  writeFileSync(join(root, "shut"), "for nobody", { mode: 0 });
  writeFileSync(join(root, "closed/inside"), "for nobody");
  chmodSync(join(root, "closed"), 0);
  chmodSync(bench.directory, 0o755);
  const own = join(bench.directory, "own");
  mkdirSync(own);
  const program = join(import.meta.dirname, "../fixtures/save-unprivileged.ts");
  const { stdout, stderr } = spawnSync(process.execPath, [program, own, root]);
  chmodSync(join(root, "closed"), 0o755);
  assert.equal(stderr.toString(), "");
  const saved = JSON.parse(stdout.toString());
  assert.equal(saved.outcome, "partial");
  assert.deepEqual(saved.unreadable, ["closed", "shut"]);
  assert.equal(saved.files, 1);
  assert.deepEqual(readdirSync(join(own, "place")), ["open"]);
});

test("[CHK-4] [CHK-5] what is left out is listed, and a restore leaves it alone", async () => {
  await using bench = await Bench.make();
  const at = (name: string): string => join(bench.workspace, name);
  mkdirSync(at("node_modules/x"), { recursive: true });
  mkdirSync(at("home"));
  writeFileSync(
    at(".repriseignore"),
    "# rules\nnode_modules/\n*.log\n!keep.log\n",
  );
  for (const name of [
    "node_modules/x/y",
    "a.log",
    "keep.log",
    "home/db",
    "kept",
  ])
    writeFileSync(at(name), name);
  writeFileSync(at("huge"), Buffer.alloc(2000));
  const options = {
    leaveOut: [at("home")],
    limits: { maxFileBytes: 1000 },
  };
  for (const _ of ["first", "from the cache"]) {
    const saved = await bench.save(options);
    assert.equal(saved.outcome, "saved");
    assert.deepEqual(saved.left_out, [
      { path: "a.log", reason: "ignored" },
      { path: "home", reason: "asked" },
      { path: "huge", reason: "too_large" },
      { path: "node_modules", reason: "ignored" },
    ]);
    assert.equal(saved.files, 3);
  }
  const { tree } = await bench.save(options);
  writeFileSync(at("kept"), "changed");
  appendFileSync(at("huge"), "more");
  rmSync(at(".repriseignore"));
  const before = judge(bench.workspace);
  await bench.restore(tree);
  const after = judge(bench.workspace);
  assert.equal(readFileSync(at("kept"), "utf8"), "kept");
  for (const name of ["huge", "a.log", "node_modules/x/y", "home/db"])
    assert.equal(after.get(name), before.get(name));
});

test("[CHK-6] a change that leaves no newer time is seen", async () => {
  await using bench = await Bench.make();
  const path = join(bench.workspace, "file");
  const times = [1_700_000_000, 1_700_000_000] as const;
  const trees = new Set<string>();
  for (const content of ["one", "two", "six", "ten"]) {
    writeFileSync(path, content);
    utimesSync(path, ...times);
    const { tree } = await bench.save();
    trees.add(tree);
    const read = await bench.vault.read(tree, "file");
    assert.equal(Buffer.from(read).toString(), content);
  }
  assert.equal(trees.size, 4);
});

test("[CHK-7] without a stat cache, or with a damaged one, the same checkpoint comes out", async () => {
  await using bench = await Bench.make();
  fillWorkspace(bench.workspace);
  const { tree } = await bench.save();
  const [name = ""] = readdirSync(join(bench.cache, "workspaces"));
  const cache = join(bench.cache, "workspaces", name);
  const good = readFileSync(cache);
  const middle = Math.floor(good.length / 2);
  const spoilt = Buffer.from(good).fill(0xee, middle, middle + 100);
  for (const bad of [spoilt, good.subarray(0, middle), Buffer.alloc(0)]) {
    writeFileSync(cache, bad);
    assert.equal((await bench.save()).tree, tree);
  }
  rmSync(cache);
  assert.equal((await bench.save()).tree, tree);
});

test("[CHK-8] a save that is called off again and again gets done", async () => {
  await using bench = await Bench.make();
  for (let i = 0; i < 60; i++)
    writeFileSync(join(bench.workspace, `${i}`), noise(1_500_000, i));
  const packed = (): number => readdirSync(bench.packs).length;
  const stop = new AbortController();
  const cut = bench.save({ signal: stop.signal });
  while (packed() === 0) await new Promise(setImmediate);
  stop.abort();
  await assert.rejects(cut, { code: "aborted" });
  await bench.vault.drain();
  const { new_bytes, tree } = await bench.save();
  assert.ok(new_bytes < 90e6, `${new_bytes} bytes were written again`);
  await bench.assertIs(tree, judge(bench.workspace));
});

test("[CHK-11] holes stay holes", async () => {
  await using bench = await Bench.make();
  const path = join(bench.workspace, "sparse");
  writeFileSync(path, "beginning");
  truncateSync(path, 40 * 1024 * 1024);
  const { tree, new_bytes } = await bench.save();
  assert.ok(new_bytes < 100_000);
  const place = bench.place();
  await bench.restore(tree, place);
  const { stdout } = spawnSync("du", ["-k", join(place, "sparse")]);
  assert.ok(Number.parseInt(stdout.toString(), 10) < 2000);
  assert.deepEqual(judge(place), judge(bench.workspace));
});

test("files from anywhere are a checkpoint of their own, and a missing one is said", async () => {
  await using bench = await Bench.make();
  const path = join(bench.workspace, "session.jsonl");
  writeFileSync(path, "{}\n");
  const files = [
    { name: "state/session.jsonl", path },
    { name: "state/again", path },
  ];
  const tree = await bench.vault.saveFiles(files);
  assert.equal(await bench.vault.saveFiles(files.toReversed()), tree);
  const listed = await bench.vault.list(tree);
  assert.deepEqual(
    listed.map(({ path }) => path),
    ["", "state", "state/again", "state/session.jsonl"],
  );
  await assert.rejects(
    bench.vault.saveFiles([{ name: "x", path: join(bench.workspace, "no") }]),
    { code: "not_found" },
  );
  await assert.rejects(bench.vault.saveFiles([{ name: "../x", path }]), {
    code: "refused",
  });
});

test("a directory that is not there is said, and a closed vault too", async () => {
  await using bench = await Bench.make();
  await assert.rejects(bench.save({ root: bench.place() }), {
    code: "not_found",
  });
  const vault = await openVault({
    folder: bench.place(),
    cache: bench.place(),
  });
  await vault.close();
  await assert.rejects(vault.save({ root: bench.workspace, cacheKey: null }), {
    code: "closed",
  });
});

/** Bytes that do not compress. */
const noise = (size: number, seed: number): Buffer => {
  const bytes = Buffer.alloc(size);
  let state = seed + 1;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE((state ^ (state >>> 13)) >>> 0, at);
  }
  return bytes;
};
