/**
 * A kill cannot show that a flush is missing: what was written stays in the machine's memory. The trace of system calls
 * can: everything that others are told must rest on bytes that were flushed before.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildProduct, productOf } from "../../scripts/build/product.ts";
import { copyTree } from "../chaos/sabotage/copy-tree.ts";
import { root } from "../e2e/house.ts";
import { checkFlushes, promises } from "./trace/check-flushes.ts";
import { recordTrace } from "./trace/record-trace.ts";

test("[P1] [LNK-6] [LNK-20] whatever is acknowledged had been flushed before", async () => {
  const made = checkFlushes(await recordTrace(await productOf(root)));
  assert.deepEqual(
    made.filter(({ kept }) => !kept),
    [],
  );
  for (const promise of promises)
    assert.ok(
      made.some(({ promised }) => promised === promise),
      `no ${promise} in the trace`,
    );
});

test("without the flushes that is seen to be broken", async () => {
  const copy = await mkdtemp(join(tmpdir(), "reprise-unflushed-"));
  try {
    await copyTree(root, copy, [
      {
        file: "src/store/sqlite/base/connection.ts",
        find: "PRAGMA synchronous = FULL;",
        replace: "PRAGMA synchronous = OFF;",
      },
      {
        file: "src/agentctl/execution/journal/journal.ts",
        find: "await flush(this.#fd);",
        replace: "await Promise.resolve(flush);",
      },
      {
        file: "src/kit/files/durable-file.ts",
        find: "await file.writeFile(content);\n      await file.sync();",
        replace: "await file.writeFile(content);",
      },
    ]);
    const product = join(copy, "product");
    await buildProduct(copy, product);
    const made = checkFlushes(await recordTrace(product));
    const broken = made.filter(({ kept }) => !kept);
    assert.deepEqual(
      promises.filter((it) => !broken.some(({ promised }) => promised === it)),
      [],
    );
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 10 });
  }
});
