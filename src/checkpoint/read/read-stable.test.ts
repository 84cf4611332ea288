/** Files that do not hold still. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { hashOf } from "../format/hash.ts";
import { readSmall, readStable, type Target } from "./read-stable.ts";
import { Sketch } from "../packs/sink.ts";

const never = (): boolean => false;

/** A file of which nobody has any doubts. */
const calm = (at: string): Target => ({
  at,
  path: "file",
  doubts: { isOpen: never, isYoung: never },
});

/** Somebody writes to the file, so many times, each time it is read. */
class Disturbed extends Sketch {
  left: number;
  reads = 0;
  readonly #path: string;

  constructor(path: string, times: number) {
    super({ object: () => Promise.reject(new Error("nothing is beneath")) });
    this.#path = path;
    this.left = times;
  }

  override room(length: number): Buffer {
    this.reads += 1;
    if (this.left-- > 0) appendFileSync(this.#path, "more");
    return super.room(length);
  }
}

const withFile = async (
  work: (path: string) => Promise<void>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-stable-"));
  try {
    const path = join(directory, "file");
    writeFileSync(path, "text");
    await work(path);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

test("[CHK-3] a file that changes while it is read is read again", () =>
  withFile(async (path) => {
    const sink = new Disturbed(path, 2);
    const reading = await readStable(calm(path), sink, never);
    assert.equal(reading.kind, "read");
    assert.deepEqual(reading.kind === "read" && reading.content, {
      form: "whole",
      hash: hashOf(Buffer.from("textmoremore")),
    });
    assert.equal(sink.reads, 3);
  }));

test("[CHK-3] a file that never holds still is unstable after three readings", () =>
  withFile(async (path) => {
    const sink = new Disturbed(path, 1000);
    assert.deepEqual(await readStable(calm(path), sink, never), {
      kind: "unstable",
    });
    assert.equal(sink.reads, 3);
  }));

test("[CHK-3] a file that is gone is gone, and one without end is none", () =>
  withFile(async (path) => {
    const sink = new Disturbed(path, 0);
    const gone = await readStable(calm(`${path}.no`), sink, never);
    assert.deepEqual(gone, { kind: "gone" });
    const device = await readStable(calm("/dev/zero"), sink, never);
    assert.deepEqual(device, { kind: "unstable" });
  }));

test("[CHK-3] a FIFO or a directory that took a file's name is no failure of the disk", () =>
  withFile(async (path) => {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    const sink = new Disturbed(path, 0);
    execFileSync("mkfifo", [`${path}.fifo`]);
    for (const other of [`${path}.fifo`, dirname(path)]) {
      const seen = { size, mtimeMs, ctimeMs };
      assert.equal(readSmall(calm(other), sink, seen), null);
      const reading = await readStable(calm(other), sink, never);
      assert.deepEqual(reading, { kind: "unstable" });
    }
  }));
