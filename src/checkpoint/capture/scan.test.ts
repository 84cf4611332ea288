/** A scan may be called off at any moment; the next one sees everything. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Arena } from "../trees/arena.ts";
import { Bench } from "../fixtures/bench.ts";
import { policyOf } from "./policy.ts";
import { Scan } from "./scan.ts";

test("[CHK-8] what a scan that was called off had not listed is listed by the next", async () => {
  for (let asks = 0, isOver = false; !isOver; asks += 1) {
    const root = mkdtempSync(join(tmpdir(), "reprise-scan-"));
    try {
      const arena = new Arena();
      writeFileSync(join(root, ".repriseignore"), "ignored\n");
      put(root, "a/1", "a/b/1", "c/1", "c/d/1");
      await scan(arena, root);
      put(root, "a/2", "a/b/2", "c/2", "c/d/2", "c/ignored");
      isOver = !(await scan(arena, root, asks));
      await scan(arena, root);
      assert.deepEqual(found(arena), EVERYTHING, `called off at ${asks}`);
    } finally {
      rmSync(root, { recursive: true });
    }
  }
});

const EVERYTHING = [
  "",
  ".repriseignore",
  "a",
  "a/1",
  "a/2",
  "a/b",
  "a/b/1",
  "a/b/2",
  "c",
  "c/1",
  "c/2",
  "c/d",
  "c/d/1",
  "c/d/2",
  "c/ignored (ignored)",
];

/** As if everything had been written long ago. True when it was called off. */
const scan = async (
  arena: Arena,
  root: string,
  asks = Number.POSITIVE_INFINITY,
): Promise<boolean> => {
  const later = Date.now() + 60_000;
  let asked = 0;
  const policy = policyOf(root, { leaveOut: [], maxFileBytes: 1e9 });
  await new Scan({
    root,
    arena,
    policy,
    samePolicy: true,
    draftKind: () => null,
    clock: {
      startedAt: later,
      newest: Infinity,
      sinceLast: 0,
      wasSetBack: false,
      now: () => later,
    },
    maxBytes: Infinity,
    mounts: new Set(),
    found: { add: () => {}, isPauseDue: false, pause: async () => {} },
    isAborted: () => (asked += 1) > asks,
  }).run();
  return asked > asks;
};

const found = (arena: Arena): string[] =>
  arena
    .live()
    .map((row) => {
      const reason = arena.reason(row);
      return reason === null
        ? arena.path(row)
        : `${arena.path(row)} (${reason})`;
    })
    .sort();

const put = (root: string, ...paths: string[]): void => {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), path);
  }
};

test("[CHK-3] what lies deeper than a path can say is unreadable, and the rest is captured", async () => {
  await using bench = await Bench.make();
  writeFileSync(join(bench.workspace, "near"), "here");
  const name = "n".repeat(250);
  const down = `for i in $(seq 20); do mkdir ${name} && cd ${name} || exit; done`;
  // Some shells end where they cannot follow: that is deep enough.
  spawnSync("sh", ["-c", down], { cwd: bench.workspace });
  const { outcome, files, unreadable } = await bench.save();
  assert.deepEqual(
    { outcome, files, unreadable: unreadable.length },
    { outcome: "partial", files: 1, unreadable: 1 },
  );
  // Nothing of Node's can take it away again.
  spawnSync("rm", ["-rf", bench.workspace]);
});
