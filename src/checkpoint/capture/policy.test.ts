import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "../fixtures/bench.ts";

test("[CHK-2] [CHK-4] rules are read from a file alone: no FIFO is waited for, no link followed", async () => {
  const odd: Record<string, (path: string) => unknown> = {
    fifo: (path) => spawnSync("mkfifo", [path]),
    link: (path) => symlinkSync("rules", path),
    endless: (path) => symlinkSync("/dev/zero", path),
  };
  for (const [kind, make] of Object.entries(odd)) {
    await using bench = await Bench.make();
    writeFileSync(join(bench.workspace, "rules"), "kept\n");
    writeFileSync(join(bench.workspace, "kept"), "");
    make(join(bench.workspace, ".repriseignore"));
    const { left_out, files } = await bench.save();
    assert.deepEqual({ left_out, files }, { left_out: [], files: 2 }, kind);
  }
});

test("[CHK-4] rules without end are refused, not passed over", async () => {
  await using bench = await Bench.make();
  writeFileSync(join(bench.workspace, ".repriseignore"), "*a\n".repeat(30_000));
  await assert.rejects(bench.save(), { code: "too_large" });
});

test("[CHK-4] a directory that holds more than it may is refused, until enough of it is left out", async () => {
  await using bench = await Bench.make();
  for (const name of ["a", "b", "c"])
    writeFileSync(join(bench.workspace, name), "x".repeat(1000));
  const limits = { maxBytes: 2500 };
  await assert.rejects(bench.save({ limits }), { code: "too_large" });
  writeFileSync(join(bench.workspace, ".repriseignore"), "b\n");
  assert.equal((await bench.save({ limits })).outcome, "saved");
});
