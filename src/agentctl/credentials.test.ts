import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { withBench } from "./fixtures/bench.ts";

test("[LNK-67] agentctl writes nothing down about credentials, and adopts an execution of a release that did", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const demo = bench.order("demo");
    const override = {
      command: [process.execPath, "-e", "process.stdin.resume()"],
    };
    const order = {
      ...bench.order("auggie", { override }),
      env: { ...demo.env, AUGMENT_API_TOKEN: "hush-4711" },
    };
    await link.call("start", order);
    await bench.untilJournal(order, "launched");
    await bench.down();
    const path = bench.path(order, "journal");
    const journal = await readFile(path, "utf8");
    assert.doesNotMatch(journal, /hush-4711|AUGMENT_API_TOKEN/);
    for (const encoding of ["hex", "base64", "base64url"] as const)
      assert.ok(
        !journal.includes(
          createHash("sha256").update("hush-4711").digest(encoding),
        ),
      );
    const [ordered = "", ...others] = journal.split("\n");
    const credentials = { AUGMENT_API_TOKEN: "digest" };
    const before = JSON.stringify({ ...JSON.parse(ordered), credentials });
    await writeFile(path, [before, ...others].join("\n"));
    await bench.up();
    const next = await bench.link(2);
    const { execution_id, epoch, session_id } = order;
    assert.deepEqual(await next.call("executions", {}), {
      executions: [{ execution_id, epoch, session_id, alive: true }],
    });
  }));
