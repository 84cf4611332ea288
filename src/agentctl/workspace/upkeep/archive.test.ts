import assert from "node:assert/strict";
import {
  mkdir,
  mkdtemp,
  readdir,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  JOURNAL,
  MANIFEST,
  MAX_JOURNAL_BYTES,
  MAX_MANIFEST_BYTES,
} from "../../../contract/session/archive.ts";
import type { Memory } from "../../../contract/session/checkpoint.ts";
import { withBench } from "../../fixtures/bench.ts";
import { ask, capture, inWorkspace, treeOf } from "../../fixtures/workspace.ts";
import { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { Transfers } from "../../storage/transfers.ts";
import { exportArchive, importArchive } from "./archive.ts";

test("[CPT-13] an exported session goes on in another home, at another path, natively", () =>
  withBench((source) =>
    withBench(async (target) => {
      const link = await source.link();
      const data = await source.data(link);
      const order = await inWorkspace(source);
      await link.call("start", order);
      const { native_session_id } = await link.wait(order, "ready");
      const token = native_session_id ?? "";
      await link.turn(order, "remember key = cucumber");
      await link.turn(order, "write a.txt hello");
      const captured = await capture(link, order, { token });
      await link.stop(order);
      const tree = treeOf(captured);
      const state = captured.agent_state ?? "";
      const text = Buffer.from("what was said\n");
      const exported = await ask(link, "export_archive", {
        trees: [tree, state],
        members: [
          { name: "journal.ndjson", transfer: await data.upload(text) },
        ],
      });
      const archive = await data.download(exported.transfer);
      assert.equal(archive.length, exported.bytes);
      await link.call("release", { transfers: [exported.transfer] });
      await assert.rejects(data.download(exported.transfer), {
        code: "unknown_transfer",
      });
      // Nothing of where it came from is left.
      await rm(order.cwd, { recursive: true });
      await rm(join(source.home, "demo"), { recursive: true });
      await rm(join(source.home, "blobs"), { recursive: true });

      const there = await target.link();
      const elsewhere = await target.data(there);
      const transfer = await elsewhere.upload(archive);
      const look = { transfer, keep: false };
      const seen = await ask(there, "import_archive", look);
      assert.deepEqual(seen.trees.sort(), [tree, state].sort());
      const [member] = seen.members;
      assert.deepEqual(
        [member?.name, member?.bytes],
        ["journal.ndjson", text.length],
      );
      assert.ok(member !== undefined);
      assert.ok((await elsewhere.download(member.transfer)).equals(text));
      const packs = join(target.home, "blobs", "packs");
      assert.deepEqual(await readdir(packs), [], "it was only looked at");

      const take = { transfer, keep: true };
      const told = await ask(there, "import_archive", take);
      assert.deepEqual(told.trees.sort(), [tree, state].sort());

      const next = await inWorkspace(target);
      await rm(next.cwd, { recursive: true });
      const memory: Memory = {
        tree: state,
        token,
        cwd: order.cwd,
        renamed: false,
      };
      const cold = {
        ...next,
        open: { kind: "native", token, transcript: null, turns: 2 },
        rebuild: { tree, restore: true, memory },
      } as const;
      await there.call("start", cold);
      const ready = await there.wait(cold, "ready");
      assert.deepEqual([ready.workspace, ready.verified], ["restored", true]);
      assert.match(await there.turn(cold, "recall key"), /cucumber/);
      await there.stop(cold);
    }),
  ));

test("[CPT-13] a file that is damaged, or no archive, is refused and leaves nothing", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = await inWorkspace(bench);
    await writeFile(join(order.cwd, "a.txt"), "hello");
    const tree = treeOf(await capture(link, order));
    const data = await bench.data(link);
    const { transfer } = await ask(link, "export_archive", {
      trees: [tree],
      members: [],
    });
    const archive = await data.download(transfer);
    const packs = await readdir(join(bench.home, "blobs", "packs"));
    for (const bad of [
      archive.subarray(0, 200),
      Buffer.from("a letter to grandmother"),
      Buffer.alloc(0),
    ]) {
      const order = { transfer: await data.upload(bad), keep: true };
      await assert.rejects(ask(link, "import_archive", order), {
        code: /^(damaged|unsafe)_archive$/,
      });
    }
    assert.deepEqual(await readdir(join(bench.home, "blobs", "packs")), packs);
  }));

test("[LNK-76] an order names no file, and a transfer of another link is not known", () =>
  withBench(async (bench) => {
    const [link, other] = [await bench.link(), await bench.link()];
    const data = await bench.data(other);
    const transfer = await data.upload(Buffer.from("hello"));
    for (const keep of [true, false])
      await assert.rejects(ask(link, "import_archive", { transfer, keep }), {
        code: "unknown_transfer",
      });
    await assert.rejects(
      ask(link, "export_archive", {
        trees: [],
        members: [{ name: "x", transfer }],
      }),
      { code: "unknown_transfer" },
    );
    const file = { file: "/etc/passwd", members: "/tmp/x" };
    await assert.rejects(link.call("import_archive", file), {
      code: "invalid_params",
    });
    await assert.rejects(link.call("import", file), { code: "unknown_method" });
  }));

/** On a disk that has room for so many texts. */
class LimitedTransfers extends Transfers {
  room = Infinity;

  override async keep(content: Uint8Array) {
    if (this.room === 0) throw new Error("no space left");
    this.room -= 1;
    return super.keep(content);
  }
}

/** Checkpoints and transfers of a home of its own, without a link. */
const storageOf = async (t: TestContext) => {
  const home = await mkdtemp(join(tmpdir(), "archive-"));
  await mkdir(join(home, "agentctl"));
  const storage = new CheckpointStorage(home, () => undefined);
  t.after(async () => {
    await storage.close();
    await rm(home, { recursive: true });
  });
  const directory = await storage.makeScratch();
  const transfers = new LimitedTransfers({
    makeScratch: async () => directory,
  });
  return {
    storage,
    transfers,
    files: async () => (await readdir(directory)).toSorted(),
  };
};

test("[LNK-76] when one text of an archive cannot be kept, none is", async (t) => {
  const { storage, transfers, files } = await storageOf(t);
  const text = await transfers.keep(Buffer.from("what was said\n"));
  const members = [MANIFEST, JOURNAL].map((name) => ({ name, ...text }));
  const order = { trees: [], members };
  const { transfer } = await exportArchive(storage, transfers, order);
  const before = await files();
  transfers.room = 1;
  const look = { transfer, keep: false };
  await assert.rejects(importArchive(storage, transfers, look), {
    message: "no space left",
  });
  assert.deepEqual(await files(), before);
});

test("[LNK-78] texts that are too large for an archive are refused before they are read", async (t) => {
  const { storage, transfers } = await storageOf(t);
  const sized = async (name: string, bytes: number) => {
    const { transfer } = await transfers.make(async (path) => {
      await writeFile(path, "");
      await truncate(path, bytes);
    });
    return { name, transfer };
  };
  const members = [
    await sized(MANIFEST, MAX_MANIFEST_BYTES),
    await sized(JOURNAL, MAX_JOURNAL_BYTES + 1),
  ];
  const order = { trees: [], members };
  await assert.rejects(exportArchive(storage, transfers, order), {
    code: "invalid_params",
  });
});
