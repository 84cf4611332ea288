/** Beside somebody who puts links where directories were: what is behind them is not read, and stays as it is. */
import { SIDE_WORKER } from "../workers/programs.ts";
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Arena } from "../trees/arena.ts";
import { Bench, unheard } from "../fixtures/bench.ts";
import { judge } from "../fixtures/judge.ts";
import { SideWorkers } from "../threads/side-workers.ts";
import { readFiles } from "../read/read-files.ts";
import { restore } from "../restore/restore.ts";
import { unsealed } from "../restore/restore-plan.ts";
import { Sketch } from "../packs/sink.ts";
import { UnseenChanges } from "../read/unseen-changes.ts";

const CONTENTS = ["same", "other", "old mode"] as const;

/** A directory `d` that differs from its checkpoint, and one elsewhere with the same names in it. */
const stage = async (bench: Bench) => {
  const d = join(bench.workspace, "d");
  const elsewhere = bench.place();
  mkdirSync(d);
  mkdirSync(elsewhere);
  for (const name of CONTENTS) writeFileSync(join(d, name), name);
  const { tree } = await bench.save();
  for (const name of [...CONTENTS, "new"])
    writeFileSync(join(elsewhere, name), `precious ${name}`, { mode: 0o640 });
  writeFileSync(join(d, "other"), "changed");
  writeFileSync(join(d, "new"), "new");
  chmodSync(join(d, "old mode"), 0o600);
  chmodSync(d, 0o711);
  const { sealed } = await bench.vault.planRestore({
    tree,
    into: bench.workspace,
    cacheKey: "workspace",
  });
  const swap = (): void => {
    renameSync(d, join(bench.workspace, "moved"));
    symlinkSync(elsewhere, d);
  };
  const around = {
    objects: bench.objects(),
    isAborted: () => false,
    sideWorkers: new SideWorkers(
      SIDE_WORKER,
      bench.site,
      unheard,
      new SharedArrayBuffer(4),
      0,
    ),
  };
  const restoreId = "0".repeat(32);
  return { plan: { ...unsealed(sealed), restoreId }, elsewhere, swap, around };
};

test("[CHK-19] nothing is removed behind a link that took a directory's place", async () => {
  await using bench = await Bench.make();
  const { plan, elsewhere, swap, around } = await stage(bench);
  const before = judge(elsewhere);
  const { drafts, ...rest } = plan;
  const asked = {
    ...rest,
    // They are asked for when the ground was checked, and before anything is touched.
    get drafts() {
      swap();
      return drafts;
    },
  };
  await assert.rejects(restore(asked, around), { code: "changed" });
  assert.deepEqual(judge(elsewhere), before);
});

test("[CHK-19] nothing is written behind a link that took a directory's place", async () => {
  await using bench = await Bench.make();
  const { plan, elsewhere, swap, around } = await stage(bench);
  const before = judge(elsewhere);
  let isDue = true;
  const isAborted = (): boolean => {
    // Asked before each file.
    if (isDue) swap();
    return (isDue = false);
  };
  await assert.rejects(restore(plan, { ...around, isAborted }), {
    code: "changed",
  });
  assert.deepEqual(judge(elsewhere), before);
});

test("[CHK-19] no mode is changed behind a link", async () => {
  await using bench = await Bench.make();
  const { plan, elsewhere, around } = await stage(bench);
  const d = join(bench.workspace, "d");
  let isDue = true;
  const isAborted = (): boolean => {
    if (isDue) {
      renameSync(join(d, "old mode"), join(d, "moved"));
      symlinkSync(join(elsewhere, "old mode"), join(d, "old mode"));
    }
    return (isDue = false);
  };
  await assert.rejects(restore(plan, { ...around, isAborted }), {
    code: "changed",
  });
  const { mode } = statSync(join(elsewhere, "old mode"));
  assert.equal(mode & 0o777, 0o640);
  assert.equal(readFileSync(join(d, "other"), "utf8"), "other");
});

test("[CHK-2] nothing is read behind a link that took a directory's place", async () => {
  await using bench = await Bench.make();
  const { swap, around } = await stage(bench);
  const seen = statSync(join(bench.workspace, "d", "same"));
  const batch = {
    root: bench.workspace,
    startedAt: 0,
    newest: 0,
    paths: ["d/same"],
    sizes: [seen.size],
    mtimes: [seen.mtimeMs],
    ctimes: [seen.ctimeMs],
  };
  const reason = async () => {
    const arena = new Arena();
    const sink = new Sketch(around.objects);
    const doubts = new UnseenChanges(batch.root, batch.startedAt);
    const rows = await readFiles(batch, doubts, sink, around.isAborted);
    arena.adopt(arena.add(1), rows, 0);
    return arena.reason(0);
  };
  assert.equal(await reason(), null);
  swap();
  assert.equal(await reason(), "gone");
});
