/** Looks into the bundles for what must not be in them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildBundle, packagesOf } from "../src/executors/standalone/bundle.ts";

const { files, inputs } = await buildBundle();

test("there is one file per program and each stays small", () => {
  assert.deepEqual([...files.keys()].toSorted(), [
    "agentctl.js",
    "checkpoint-side-worker.js",
    "checkpoint-worker.js",
    "demo-agent.js",
    "files-worker.js",
    "sandbox-relay.js",
    "screen-worker.js",
    "ssh-relay.js",
    "stream-json.js",
  ]);
  for (const [name, content] of files)
    assert.ok(content.byteLength < 2_000_000, `${name}: ${content.byteLength}`);
});

test("agentctl holds its own rooms and three packages", () => {
  assert.deepEqual(rooms("agentctl.js"), [
    "agentctl",
    "agents",
    "checkpoint",
    "contract",
    "kit",
    "streams",
  ]);
  assert.deepEqual(packages("agentctl.js"), [
    "@agentclientprotocol/sdk",
    "ws",
    "zod",
  ]);
});

test("what servers run on a host by ssh holds no package but zod", () => {
  assert.deepEqual(rooms("ssh-relay.js"), ["contract", "executors", "kit"]);
  assert.deepEqual(packages("ssh-relay.js"), ["zod"]);
});

test("the threads of the vault hold nothing but the vault, and of the contract what is git's own", () => {
  assert.deepEqual(rooms("checkpoint-worker.js"), [
    "checkpoint",
    "contract",
    "kit",
  ]);
  assert.deepEqual(packages("checkpoint-worker.js"), ["zod"]);
  assert.deepEqual(rooms("checkpoint-side-worker.js"), ["checkpoint", "kit"]);
  assert.deepEqual(packages("checkpoint-side-worker.js"), []);
});

test("[SHL-12] the thread with the screens holds a terminal, and agentctl itself does not", () => {
  assert.deepEqual(rooms("screen-worker.js"), ["agentctl", "contract", "kit"]);
  assert.deepEqual(packages("screen-worker.js"), [
    "@xterm/addon-serialize",
    "@xterm/headless",
  ]);
});

for (const program of ["demo-agent.js", "stream-json.js"])
  test(`${program} is an agent and knows nothing of the house`, () => {
    assert.deepEqual(rooms(program), ["agents", "kit", "programs"]);
    assert.deepEqual(packages(program), ["@agentclientprotocol/sdk", "zod"]);
  });

const rooms = (program: string): string[] =>
  [
    ...new Set(
      madeOf(program).flatMap((path) => /^src\/([^/]+)/.exec(path)?.[1] ?? []),
    ),
  ].toSorted();

const packages = (program: string): string[] =>
  packagesOf(madeOf(program)).toSorted();

const madeOf = (program: string): readonly string[] => {
  const made = inputs.get(program) ?? [];
  assert.ok(made.length > 0, `${program} is made of nothing`);
  return made;
};
