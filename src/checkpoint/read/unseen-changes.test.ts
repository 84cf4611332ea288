/** Files that are changed in memory, or while they are open: their times do not tell. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";
import { LookAgain } from "../fixtures/look-again.ts";
import { MappedFile } from "../fixtures/mapped-file.ts";
import { readStable } from "./read-stable.ts";
import { Sketch } from "../packs/sink.ts";
import { UnseenChanges } from "./unseen-changes.ts";

const skip = process.platform === "linux" ? false : "needs Linux";
const asRoot = process.getuid?.() === 0 ? skip : "needs root";
const MEMORY = "/dev/shm";

/** On a disk, and in memory, where nothing is ever flushed. */
for (const place of [tmpdir(), MEMORY])
  test(
    `[CHK-32] what is stored through a mapping is captured each time, in ${place}`,
    { skip },
    async () => {
      await using bench = await Bench.make(place);
      const path = join(bench.workspace, "mapped");
      using mapped = await mappedLongAgo(path);
      // Otherwise it would be read again for being the newest.
      writeFileSync(join(bench.workspace, "newer"), "");
      await settled(join(bench.workspace, "newer"));
      for (const text of ["first ", "second", "third "]) {
        const { tree, outcome } = await bench.save();
        assert.equal(outcome, "saved");
        const read = Buffer.from(await bench.vault.read(tree, "mapped"));
        assert.equal(read.toString("latin1", 0, 6), mapped.text);
        mapped.store(text);
      }
    },
  );

test(
  "[CHK-32] what is stored in somebody else's file is captured, though nobody tells who maps it",
  { skip: asRoot },
  async () => {
    await using bench = await Bench.make();
    chmodSync(bench.directory, 0o755);
    const own = join(bench.directory, "own");
    mkdirSync(own);
    const path = join(bench.workspace, "mapped");
    using mapped = await mappedLongAgo(path);
    const program = join(
      import.meta.dirname,
      "../fixtures/save-as-stranger.ts",
    );
    const stranger = spawn(
      process.execPath,
      [program, own, bench.workspace, "mapped"],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const lines = createInterface({ input: stranger.stdout });
    const answers = lines[Symbol.asyncIterator]();
    try {
      for (const text of ["first ", "second", "third "]) {
        stranger.stdin.write("\n");
        const { value } = await answers.next();
        assert.equal(value, mapped.text);
        mapped.store(text);
      }
    } finally {
      stranger.stdin.end();
      await once(stranger, "close");
    }
  },
);

test(
  "[CHK-32] a file in memory that changes while it is read is unstable, whatever its times say",
  { skip },
  async () => {
    const root = mkdtempSync(join(MEMORY, "reprise-torn-"));
    const path = join(root, "mapped");
    using mapped = await mappedLongAgo(path);
    const doubts = new UnseenChanges(root, Date.now());
    const target = { at: path, path: "mapped", doubts };
    const sink = new Storing(mapped);
    try {
      const reading = await readStable(target, sink, () => false);
      assert.deepEqual(reading, { kind: "unstable" });
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

test(
  "[CHK-32] a file that stays open for writing and does not change is read by two scans, and by no more, on a disk",
  { skip },
  async () => {
    await using bench = await Bench.make();
    const path = join(bench.workspace, "log");
    writeFileSync(path, "text");
    await settled(path);
    const again = new LookAgain(bench, bench.workspace);
    const file = openSync(path, "r+");
    try {
      assert.ok((await again.look()) > 0);
      await passed(100);
      assert.ok((await again.look()) > 0);
      assert.equal(await again.look(), 0);
    } finally {
      closeSync(file);
    }
  },
);

test(
  "[CHK-32] a file in memory is read again for as long as it is open for writing",
  { skip },
  async () => {
    await using bench = await Bench.make();
    const root = mkdtempSync(join(MEMORY, "reprise-open-"));
    const path = join(root, "log");
    writeFileSync(path, "text");
    const again = new LookAgain(bench, root);
    const file = openSync(path, "r+");
    try {
      for (const _ of ["first", "second", "third"]) {
        assert.ok((await again.look()) > 0);
        await passed(100);
      }
      closeSync(file);
      assert.ok((await again.look()) > 0);
      assert.equal(await again.look(), 0);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);

/** A file whose page was stored to, and whose times are old enough to be taken for what they are. */
const mappedLongAgo = async (path: string): Promise<Mapped> => {
  writeFileSync(path, "0".repeat(5000));
  const mapped = new Mapped(path);
  mapped.store("before");
  await settled(path);
  return mapped;
};

class Mapped extends MappedFile {
  text = "";

  override store(text: string): void {
    this.text = text;
    super.store(text);
  }
}

/** Stores something else before every reading. */
class Storing extends Sketch {
  readonly #mapped: MappedFile;
  #stores = 0;

  constructor(mapped: MappedFile) {
    super({ object: () => Promise.reject(new Error("nothing is beneath")) });
    this.#mapped = mapped;
  }

  override room(length: number): Buffer {
    this.#mapped.store(`${(this.#stores += 1)}`);
    return super.room(length);
  }
}

const settled = async (path: string): Promise<void> => {
  const { ctimeMs } = lstatSync(path);
  while (Date.now() <= ctimeMs + 100) await new Promise(setImmediate);
};

const passed = async (ms: number): Promise<void> => {
  const since = performance.now();
  while (performance.now() - since <= ms) await new Promise(setImmediate);
};
