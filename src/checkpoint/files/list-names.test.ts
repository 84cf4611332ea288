/** Directories in which names move while they are listed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";

const FILES = 2000;
const ROUNDS = 8;

/** Replaces one file after another, each by a rename: there is never a moment without it. */
const REPLACING = `
  const { renameSync, writeFileSync } = require("node:fs");
  console.log("begun");
  for (let i = 0; ; i = (i + 1777) % ${FILES}) {
    const path = process.argv[1] + "/file-" + i;
    writeFileSync(path + ".draft", "text");
    renameSync(path + ".draft", path);
  }`;

for (const place of [tmpdir(), "/dev/shm"])
  test(
    `[CHK-6] files that are replaced while their directory is listed are all captured, in ${place}`,
    { skip: process.platform === "linux" ? false : "needs /dev/shm" },
    async () => {
      await using bench = await Bench.make(place);
      const busy = join(bench.workspace, "busy");
      mkdirSync(busy);
      for (let i = 0; i < FILES; i += 1)
        writeFileSync(join(busy, `file-${i}`), "text");
      const other = spawn(process.execPath, ["-e", REPLACING, busy]);
      try {
        await once(other.stdout, "data");
        for (let round = 0; round < ROUNDS; round += 1) {
          const { tree } = await bench.save();
          const listed = (await bench.vault.list(tree))
            .filter(({ path }) => /file-\d+$/.test(path))
            .map(({ path }) => path);
          assert.equal(new Set(listed).size, FILES, `round ${round}`);
        }
      } finally {
        other.kill("SIGKILL");
        await once(other, "close");
      }
    },
  );
