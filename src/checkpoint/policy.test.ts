import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Bench } from "./fixtures/bench.ts";

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
