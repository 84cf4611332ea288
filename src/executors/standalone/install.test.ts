import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { install } from "./install.ts";

test("agentctl, the demo agent, the native module and the Node they run on are put into the home once", async (t) => {
  const directory = await scratch(t);
  const [one, two] = await Promise.all([
    install(directory, "1.2.3"),
    install(directory, "1.2.3"),
  ]);
  assert.deepEqual(one, two);
  const place = dirname(one.agentctl);
  assert.match(basename(place), /^1\.2\.3-[0-9a-f]{8}$/);
  assert.equal((await stat(place)).mode & 0o777, 0o700);
  assert.deepEqual((await readdir(place)).toSorted(), [
    "agentctl.js",
    "checkpoint-side-worker.js",
    "checkpoint-worker.js",
    "demo-agent.js",
    "files-worker.js",
    "koffi.node",
    "node",
    "package.json",
    "rg",
    "sandbox-relay.js",
    "screen-worker.js",
    "ssh-relay.js",
    "stream-json.js",
  ]);
  assert.equal(
    execFileSync(one.node, ["--version"], { encoding: "utf8" }).trim(),
    process.version,
  );
  // Nothing half done is left behind by the one that came second.
  assert.deepEqual((await readdir(directory)).toSorted(), [
    basename(place),
    `node-${process.version}`,
  ]);
});

test("what is installed is not written again", async (t) => {
  const directory = await scratch(t);
  const { agentctl } = await install(directory, "1.2.3");
  const { mtimeMs, ino } = await stat(agentctl);
  assert.equal((await install(directory, "1.2.3")).agentctl, agentctl);
  const after = await stat(agentctl);
  assert.deepEqual([after.mtimeMs, after.ino], [mtimeMs, ino]);
});

test("another version has its own place and shares the Node", async (t) => {
  const directory = await scratch(t);
  const one = await install(directory, "1.2.3");
  const two = await install(directory, "1.2.4");
  assert.notEqual(one.agentctl, two.agentctl);
  assert.equal((await readdir(directory)).length, 3);
});

const scratch = async (t: TestContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), "reprise-install-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
};
