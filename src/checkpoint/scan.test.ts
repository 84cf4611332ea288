/** A scan may be called off at any moment; the next one sees everything. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Arena } from "./arena.ts";
import { policyOf } from "./policy.ts";
import { Scan } from "./scan.ts";

test("[CHK-8] what a scan that was called off had not listed is listed by the next", () => {
  const { root, put } = workspace();
  try {
    writeFileSync(join(root, ".repriseignore"), "ignored\n");
    put("a/1", "a/b/1", "c/1", "c/d/1", "e/1");
    for (let asks = 0, isOver = false; !isOver; asks += 1) {
      const arena = new Arena();
      scan(arena, root, Number.POSITIVE_INFINITY);
      const old = found(arena);
      put(...["a", "a/b", "c", "c/d", "e"].map((it) => `${it}/${asks}-new`));
      put("c/ignored");
      isOver = !scan(arena, root, asks);
      scan(arena, root, Number.POSITIVE_INFINITY);
      const fresh = new Arena();
      scan(fresh, root, Number.POSITIVE_INFINITY);
      assert.equal(found(fresh).length - old.length, asks === 0 ? 6 : 5);
      assert.deepEqual(found(arena), found(fresh), `after ${asks} looks`);
      assert.ok(found(arena).includes("c/ignored ignored"));
    }
  } finally {
    rmSync(root, { recursive: true });
  }
});

/** As if everything had been written long ago. True when it was called off. */
const scan = (arena: Arena, root: string, asks: number): boolean => {
  let asked = 0;
  const policy = policyOf(root, { leaveOut: [], mostFileBytes: 1e9 });
  new Scan({
    root,
    arena,
    policy,
    samePolicy: true,
    startedAt: Date.now() + 60_000,
    isAborted: () => (asked += 1) > asks,
  }).run();
  return asked > asks;
};

const found = (arena: Arena): string[] =>
  arena
    .live()
    .map((row) => `${arena.path(row)} ${arena.reason(row) ?? ""}`)
    .sort();

const workspace = () => {
  const root = mkdtempSync(join(tmpdir(), "reprise-scan-"));
  const put = (...paths: string[]): void => {
    for (const path of paths) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), path);
    }
  };
  return { root, put };
};
