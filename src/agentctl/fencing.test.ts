/** What tells places, servers and executions apart, also after a restart of agentctl. */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods } from "../contract/link.ts";
import { type Bench, withDaemon } from "./fixtures/bench.ts";
import { TestLink } from "./fixtures/test-link.ts";

test("[LNK-84] a place has an id of its own, which outlives its agentctl", () =>
  withDaemon(async (bench) => {
    const { place_id } = await hello(bench);
    assert.ok(place_id !== undefined);
    const file = join(bench.home, "agentctl", "place-id");
    assert.equal(await readFile(file, "utf8"), `${place_id}\n`);
    await bench.down();
    await bench.daemonUp();
    assert.equal((await hello(bench)).place_id, place_id);
    await bench.down();
    await rm(file);
    await bench.daemonUp();
    assert.notEqual((await hello(bench)).place_id, place_id);
  }));

const hello = async (bench: Bench) => {
  const link = await TestLink.open(bench.socketPath, bench.token);
  const params = { protocol: { min: 1, max: 1 }, build: "t", term: 1 };
  const answer = await link.call("hello", params);
  link.drop();
  return linkMethods.hello.result.parse(answer);
};
