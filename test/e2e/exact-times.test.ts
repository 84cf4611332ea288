/** agentctl runs from its copy in the home, away from `node_modules`; it calls the C library from there too. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { say, TestHouse } from "./house.ts";

test("[CHK-1] a fork has the times of the original to the nanosecond, and its FIFOs", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const at = (name: string): string => join(house.workspace, name);
  // More digits than a floating-point number of seconds holds.
  execFileSync("touch", ["-d", "@1700000000.123456789", at("file")]);
  execFileSync("mkfifo", [at("fifo")]);
  execFileSync("touch", ["-d", "@1700000001.987654321", at("fifo")]);
  const { id } = await client.createSession({ cwd: house.workspace });
  await say(client, id, "remember tea=green");

  const fork = await client.forkSession(id);
  // Its workspace is restored when its agent starts.
  await say(client, fork.id, "recall tea");
  const found = async (name: string) => {
    const stat = await lstat(join(fork.cwd, name), { bigint: true });
    return [stat.isFIFO(), stat.mtimeNs];
  };
  assert.deepEqual(await found("file"), [false, 1_700_000_000_123_456_789n]);
  assert.deepEqual(await found("fifo"), [true, 1_700_000_001_987_654_321n]);
});
