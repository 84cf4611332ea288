/** Archives: what goes out comes in, and what somebody made up does not. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { crc32, zstdCompressSync } from "node:zlib";
import { encodeManifest } from "./archive.ts";
import { BLOCK, encodeBlock } from "../format/block.ts";
import { FolderBytes } from "../bytes/folder.ts";
import type { Entry } from "../format/entry.ts";
import { Bench } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import { fillWorkspace } from "../fixtures/workspace.ts";
import { hashOf, type Hash } from "../format/hash.ts";
import { PackFile } from "../packs/pack-file.ts";
import { packHeader, packSeal } from "../packs/pack.ts";
import { encodeRoot, encodeTree } from "../format/tree.ts";
import { Room } from "../format/zstd.ts";

test("[CHK-24] checkpoints and members travel to another vault", async () => {
  await using here = await Bench.make();
  await using there = await Bench.make();
  fillWorkspace(here.workspace);
  const one = await here.save();
  writeFileSync(join(here.workspace, "more"), "more");
  const two = await here.save();
  const was = judge(here.workspace);
  const file = join(here.directory, "session.reprise");
  const members = [
    { name: "journal.ndjson", bytes: Buffer.alloc(2_500_000, "event ") },
    { name: "empty", bytes: new Uint8Array() },
  ];
  await here.vault.exportTo(file, [one.tree, two.tree], members);
  const imported = await there.vault.importFrom(file);
  assert.deepEqual(imported.roots, [one.tree, two.tree]);
  assert.deepEqual(
    imported.members.map(({ name, bytes }) => [name, hashOf(bytes)]),
    members.map(({ name, bytes }) => [name, hashOf(bytes)]),
  );
  await there.assertIs(two.tree, was);
  assert.equal((await there.vault.importFrom(file)).new_bytes, 0);
});

test("[CHK-24] [CHK-25] what is as deep as a path can say travels too", async () => {
  await using here = await Bench.make();
  await using there = await Bench.make();
  const levels = Math.floor((4000 - here.workspace.length) / 2);
  mkdirSync(join(here.workspace, ...Array<string>(levels).fill("a")), {
    recursive: true,
  });
  const { tree, outcome } = await here.save();
  assert.equal(outcome, "saved");
  const file = join(here.directory, "session.reprise");
  await here.vault.exportTo(file, [tree], []);
  assert.deepEqual((await there.vault.importFrom(file)).roots, [tree]);
});

test("[CHK-25] a file that is cut off or changed anywhere is refused, and nothing is written", async () => {
  await using here = await Bench.make();
  await using there = await Bench.make();
  writeFileSync(join(here.workspace, "file"), "some content");
  const { tree } = await here.save();
  const file = join(here.directory, "session.reprise");
  await here.vault.exportTo(
    file,
    [tree],
    [{ name: "x", bytes: Buffer.from("member") }],
  );
  const good = readFileSync(file);
  const bad = join(there.directory, "bad");
  const refuse = async (bytes: Buffer): Promise<void> => {
    writeFileSync(bad, bytes);
    await assert.rejects(there.vault.importFrom(bad), ({ code }) =>
      ["refused", "unknown_version"].includes(code),
    );
  };
  for (let length = 0; length < good.length; length += 7)
    await refuse(good.subarray(0, length));
  for (let at = 0; at < good.length; at += 5) {
    const bytes = Buffer.from(good);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x41, at);
    await refuse(bytes);
  }
  await refuse(Buffer.concat([good, Buffer.from("and more")]));
  await refuse(Buffer.from("not an archive at all, but long enough to look"));
  assert.deepEqual(readdirSync(there.packs), []);
  await assert.rejects(there.vault.importFrom(join(bad, "no")), {
    code: "not_found",
  });
});

/** Writes an archive as an enemy would: everything in it is consistent but for what is wrong. */
const forge = async (
  path: string,
  objects: readonly Uint8Array[],
  manifest: Uint8Array,
): Promise<void> => {
  const pack = await PackFile.begin(
    new FolderBytes(dirname(path)),
    basename(path),
  );
  for (const bytes of objects) await pack.addNew("data", bytes);
  await pack.addNew("manifest", manifest);
  await pack.seal();
};

const named = { mode: 0o644, mtime: { seconds: 0, nanoseconds: 0 } };

const fileEntry = (
  name: string,
  content: Uint8Array,
  size = content.length,
): Entry => ({
  kind: "file",
  name,
  ...named,
  size,
  group: 0n,
  content: { form: "whole", hash: hashOf(content) },
});

const directoryEntry = (name: string, hash: Hash): Entry => ({
  kind: "directory",
  name,
  ...named,
  hash,
});

const rootOver = (tree: Uint8Array): Uint8Array =>
  encodeRoot(directoryEntry("", hashOf(tree)));

const text = Buffer.from("content");

const hostileTrees: Record<string, Entry[]> = {
  "a name that leads up": [fileEntry("..", text)],
  "a name with a slash": [fileEntry("../../etc/passwd", text)],
  "an absolute name": [fileEntry("/etc/passwd", text)],
  "an empty name": [fileEntry("", text)],
  "the directory itself": [fileEntry(".", text)],
  "a name that ends early": [fileEntry("a\0b", text)],
  "a name twice": [fileEntry("a", text), fileEntry("a", text)],
  "names out of order": [fileEntry("b", text), fileEntry("a", text)],
  "a size that is not true": [fileEntry("a", text, 3)],
  "content that is not there": [fileEntry("a", Buffer.from("other"))],
  "a directory that is not there": [directoryEntry("a", "0".repeat(64))],
  "a directory that is a file": [directoryEntry("a", hashOf(text))],
};

for (const [what, entries] of Object.entries(hostileTrees))
  test(`[CHK-9] [CHK-25] ${what} is refused`, async () => {
    await using bench = await Bench.make();
    const tree = encodeTree(entries);
    const root = rootOver(tree);
    const path = join(bench.directory, "hostile");
    await forge(path, [text, tree, root], encodeManifest([hashOf(root)], []));
    await assert.rejects(bench.vault.importFrom(path), { code: "refused" });
    assert.deepEqual(readdirSync(bench.packs), []);
  });

test("[CHK-25] a link to anywhere is only text", async () => {
  await using bench = await Bench.make();
  const tree = encodeTree([
    { kind: "link", name: "out", ...named, target: "/etc/passwd" },
  ]);
  const root = rootOver(tree);
  const path = join(bench.directory, "archive");
  await forge(path, [tree, root], encodeManifest([hashOf(root)], []));
  const { roots } = await bench.vault.importFrom(path);
  const [listed] = (await bench.vault.list(roots[0] ?? "")).slice(1);
  assert.equal(listed?.target, "/etc/passwd");
});

test("[CHK-25] a few directories that unfold to billions are refused", async () => {
  await using bench = await Bench.make();
  const objects: Uint8Array[] = [text];
  let below = encodeTree([fileEntry("a", text), fileEntry("b", text)]);
  for (let depth = 0; depth < 40; depth++) {
    objects.push(below);
    const hash = hashOf(below);
    below = encodeTree([directoryEntry("a", hash), directoryEntry("b", hash)]);
  }
  const root = rootOver(below);
  const path = join(bench.directory, "bomb");
  await forge(
    path,
    [...objects, below, root],
    encodeManifest([hashOf(root)], []),
  );
  await assert.rejects(bench.vault.importFrom(path), { code: "too_large" });
});

test("[CHK-25] directories without end are refused", async () => {
  await using bench = await Bench.make();
  const objects: Uint8Array[] = [];
  let below = encodeTree([]);
  for (let depth = 0; depth < 2100; depth++) {
    objects.push(below);
    below = encodeTree([directoryEntry("a", hashOf(below))]);
  }
  const root = rootOver(below);
  const path = join(bench.directory, "deep");
  await forge(
    path,
    [...objects, below, root],
    encodeManifest([hashOf(root)], []),
  );
  await assert.rejects(bench.vault.importFrom(path), { code: "refused" });
});

test("[CHK-13] [CHK-25] a block that unpacks to more than it says is refused", async () => {
  await using bench = await Bench.make();
  const zeros = Buffer.alloc(BLOCK / 2);
  const placed = {
    hash: hashOf(zeros),
    kind: "data",
    at: 0,
    length: zeros.length,
  } as const;
  const [head = zeros, table = zeros] = encodeBlock(
    [placed],
    zeros,
    new Room(),
  );
  const stored = zstdCompressSync(Buffer.alloc(1 << 30));
  // Header and content are right by themselves; only the length is a lie.
  const header = Buffer.from(head);
  header.writeUInt32LE(stored.length, 12);
  header.writeUInt32LE(crc32(stored, crc32(table)), 20);
  header.writeUInt32LE(crc32(header.subarray(0, 24)), 24);
  const start = packHeader();
  const body = Buffer.concat([start, header, table, stored]);
  const path = join(bench.directory, "bomb");
  writeFileSync(path, Buffer.concat([body, packSeal(1, body.length)]));
  await assert.rejects(bench.vault.importFrom(path), { code: "refused" });
});

test("[CHK-25] too much is refused by what the caller allows", async () => {
  await using here = await Bench.make();
  writeFileSync(join(here.workspace, "file"), Buffer.alloc(5000, "x"));
  const { tree } = await here.save();
  const path = join(here.directory, "archive");
  const members = [{ name: "m", bytes: Buffer.alloc(5000) }];
  await here.vault.exportTo(path, [tree], members);
  for (const limits of [
    { maxBytes: 4000 },
    { maxObjects: 2 },
    { maxPaths: 0 },
    { maxMemberBytes: 4000 },
  ])
    await assert.rejects(here.vault.importFrom(path, limits), {
      code: "too_large",
    });
});

test("[CHK-25] a member that is named twice is refused", async () => {
  await using bench = await Bench.make();
  const path = join(bench.directory, "twice");
  const member = { name: "m", size: text.length, pieces: [hashOf(text)] };
  await forge(path, [text], encodeManifest([], [member, member]));
  await assert.rejects(bench.vault.importFrom(path), {
    code: "refused",
    message: /names m twice/,
  });
});

test("[CHK-25] an archive of an older release is taken in", async () => {
  await using bench = await Bench.make();
  const path = join(bench.directory, "past");
  const tree = encodeTree([fileEntry("a", text)]);
  const root = rootOver(tree);
  const manifest = {
    format: "reprise-archive",
    version: 1,
    roots: [hashOf(root)],
    members: [],
  };
  await forge(path, [text, tree, root], Buffer.from(JSON.stringify(manifest)));
  await bench.vault.importFrom(path);
  const place = bench.place();
  await bench.restore(hashOf(root), place);
  assert.deepEqual(readFileSync(join(place, "a")), Buffer.from(text));
});

test("[CHK-25] an archive of another release is told from a damaged one", async () => {
  await using bench = await Bench.make();
  const path = join(bench.directory, "future");
  const manifest = { format: "reprise-archive", version: 3, news: true };
  await forge(path, [], Buffer.from(JSON.stringify(manifest)));
  await assert.rejects(bench.vault.importFrom(path), {
    code: "unknown_version",
  });
});
