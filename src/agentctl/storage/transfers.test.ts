import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { TransferId } from "../../contract/base/id.ts";
import { Transfers } from "./transfers.ts";

const transfer = TransferId.parse(`trf_${"0".repeat(26)}`);
const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });

async function* hello(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("hello");
}

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "transfers-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

test("[LNK-79] a disk that was full once takes transfers again, also under the same id", async (t) => {
  const directory = await scratch(t);
  let isFull = true;
  const transfers = new Transfers({
    makeScratch: async () => {
      if (isFull) throw full;
      return directory;
    },
  });
  await assert.rejects(transfers.take(transfer, hello()), full);
  await assert.rejects(transfers.keep(Buffer.from("hello")), full);
  isFull = false;
  await transfers.take(transfer, hello());
  assert.equal(await text(await transfers.read(transfer, 0)), "hello");
  await transfers.keep(Buffer.from("hello"));
});

test("[LNK-79] of a file that cannot be written to its end nothing is left", async (t) => {
  const directory = await scratch(t);
  const transfers = new Transfers({ makeScratch: async () => directory });
  const making = transfers.make(async (path) => {
    await writeFile(path, "hel");
    throw full;
  });
  await assert.rejects(making, full);
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("hel");
    throw full;
  }
  await assert.rejects(transfers.take(transfer, failing()), full);
  assert.deepEqual(await readdir(directory), []);
});
