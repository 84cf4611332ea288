/** What the kernel tells of those who write to a file, and that they do not notice that it was asked. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MappedFile } from "../fixtures/mapped-file.ts";
import { leasesTellMappings, writersOf } from "./leases.ts";

const skip = process.platform === "linux" ? false : "needs Linux";

for (const place of [tmpdir(), "/dev/shm"])
  test(
    `[CHK-32] a handle and a mapping are told, in ${place}, and it can be tried out without a trace`,
    { skip },
    () => {
      using scene = new Scene(place);
      using reader = new Handle(scene.path, "r");
      assert.equal(writersOf(reader.file), "none");
      const writer = new Handle(scene.path, "r+");
      assert.equal(writersOf(reader.file), "some");
      const mapped = new MappedFile(scene.path);
      writer[Symbol.dispose]();
      assert.equal(writersOf(reader.file), "some");
      mapped[Symbol.dispose]();
      assert.equal(writersOf(reader.file), "none");
      const before = statSync(scene.directory, { bigint: true });
      assert.equal(leasesTellMappings(scene.directory), true);
      assert.deepEqual(statSync(scene.directory, { bigint: true }), before);
    },
  );

test(
  "[CHK-32] who opens the file for writing at that moment gets it, and nobody is ended by a signal",
  { skip },
  async () => {
    using scene = new Scene(tmpdir());
    using reader = new Handle(scene.path, "r");
    const script = `
      const { closeSync, openSync } = require("node:fs");
      for (let i = 0; i < 20_000; i += 1) closeSync(openSync(process.argv[1], "r+"));`;
    const writer = spawn(process.execPath, ["-e", script, scene.path], {
      stdio: "inherit",
    });
    const ended = once(writer, "exit");
    const told = new Set<string>();
    while (writer.exitCode === null && writer.signalCode === null) {
      for (let i = 0; i < 100; i += 1) told.add(writersOf(reader.file));
      await new Promise(setImmediate);
    }
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual([...told].sort(), ["none", "some"]);
  },
);

class Scene implements Disposable {
  readonly directory: string;
  readonly path: string;

  constructor(place: string) {
    this.directory = mkdtempSync(join(place, "reprise-leases-"));
    this.path = join(this.directory, "file");
    writeFileSync(this.path, "text");
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true });
  }
}

class Handle implements Disposable {
  readonly file: number;

  constructor(path: string, flags: string) {
    this.file = openSync(path, flags);
  }

  [Symbol.dispose](): void {
    closeSync(this.file);
  }
}
