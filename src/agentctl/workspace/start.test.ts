import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { StartOrder } from "../../contract/link/link.ts";
import type { Memory } from "../../contract/session/checkpoint.ts";
import { type Bench, withBench, withDaemon } from "../fixtures/bench.ts";
import type { TestLink } from "../fixtures/test-link.ts";
import { again, capture, inWorkspace, treeOf } from "../fixtures/workspace.ts";

/** A session that remembers a word and wrote a file, captured, and then stopped. */
const worked = async (bench: Bench, link: TestLink) => {
  const order = await inWorkspace(bench);
  await link.call("start", order);
  const { native_session_id } = await link.wait(order, "ready");
  const token = native_session_id ?? "";
  await link.turn(order, "remember key = cucumber");
  await link.turn(order, "write src/a.txt hello");
  const captured = await capture(link, order, { token });
  await link.stop(order);
  const memory: Memory = {
    tree: captured.agent_state ?? "",
    token,
    cwd: order.cwd,
    renamed: false,
  };
  return { order, token, tree: treeOf(captured), memory };
};

const native = (token: string): StartOrder["open"] => ({
  kind: "native",
  token,
  transcript: null,
  turns: 2,
});

/** Everything in a directory, as find sees it. */
const listing = (directory: string): string =>
  execFileSync("find", [".", "-printf", "%P %y %m %T@ %s %l\\n"], {
    cwd: directory,
    encoding: "utf8",
  })
    .split("\n")
    .sort()
    .join("\n");

test("[CPT-4] [CPT-6] workspace and agent's session are gone: both are put back, and the agent remembers", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token, tree, memory } = await worked(bench, link);
    const before = listing(order.cwd);
    await rm(order.cwd, { recursive: true });
    await rm(join(bench.home, "demo"), { recursive: true });

    const cold = again(order, {
      open: native(token),
      rebuild: { tree, restore: true, memory },
    });
    await link.call("start", cold);
    const ready = await link.wait(cold, "ready");
    assert.equal(ready.workspace, "restored");
    assert.equal(ready.native_session_id, token);
    assert.equal(ready.verified, true);
    assert.equal(ready.failed, null);
    assert.equal(listing(order.cwd), before);
    assert.deepEqual(await readdir(dirname(order.cwd)), [order.session_id]);
    assert.match(await link.turn(cold, "recall key"), /cucumber/);
    await link.stop(cold);
  }));

test("[CPT-5] a workspace that is there is not touched, and whether it changed is said", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token, tree } = await worked(bench, link);
    const rebuild = { tree, restore: false, memory: null };
    const same = again(order, { open: native(token), rebuild });
    await link.call("start", same);
    assert.equal((await link.wait(same, "ready")).workspace, "unchanged");
    await link.stop(same);

    await writeFile(join(order.cwd, "src/a.txt"), "mine now");
    const changed = again(same, { open: native(token), rebuild });
    await link.call("start", changed);
    assert.equal((await link.wait(changed, "ready")).workspace, "changed");
    await link.stop(changed);
    // Somebody made the directory again before we did: it is theirs.
    const late = again(changed, {
      open: native(token),
      rebuild: { tree, restore: true, memory: null },
    });
    await link.call("start", late);
    assert.equal((await link.wait(late, "ready")).workspace, "changed");
    assert.equal(
      await readFile(join(order.cwd, "src/a.txt"), "utf8"),
      "mine now",
    );
    await link.stop(late);
  }));

test("[CPT-4] that a workspace was brought back by an agentctl that died is noted before the agent can be adopted", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token, tree } = await worked(bench, link);
    // It is there, though it was missing when this was ordered.
    const rebuild = { tree, restore: true, memory: null };
    const cold = again(order, { open: native(token), rebuild });
    await link.call("start", cold);
    await link.wait(cold, "ready");
    const journal = await readFile(bench.path(cold, "journal"), "utf8");
    const launched = journal
      .split("\n")
      .find((line) => line.includes('"kind":"launched"'));
    assert.match(launched ?? "", /"workspace":"restored"/);
    await link.stop(cold);
  }));

test("[CPT-7] [CPT-10] a memory goes under a new id, and the session it came from stays as it is", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token, tree, memory } = await worked(bench, link);
    const file = join(bench.home, "demo", "sessions", `${token}.jsonl`);
    const original = await readFile(file, "utf8");
    const fork = await inWorkspace(bench);
    await rm(fork.cwd, { recursive: true });
    const forked: StartOrder = {
      ...fork,
      open: native(token),
      rebuild: { tree, restore: true, memory: { ...memory, renamed: true } },
    };
    await link.call("start", forked);
    const ready = await link.wait(forked, "ready");
    assert.equal(ready.workspace, "restored");
    assert.equal(ready.verified, true);
    assert.notEqual(ready.native_session_id, token);
    assert.equal(listing(fork.cwd), listing(order.cwd));
    assert.match(await link.turn(forked, "recall key"), /cucumber/);
    assert.equal(await readFile(file, "utf8"), original);
    await link.stop(forked);
  }));

test("[CPT-10] a memory that was put back comes back natively also when the agent dies before its first turn", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, tree, memory, token } = await worked(bench, link);
    // More turns than the file has prompts: the history was injected, as one of them.
    const turns = 9;
    const first = again(order, {
      open: { kind: "native", token, transcript: null, turns },
      rebuild: { tree, restore: false, memory: { ...memory, renamed: true } },
    });
    await link.call("start", first);
    const ready = await link.wait(first, "ready");
    assert.equal(ready.verified, true);
    const { bytes, sha256 } = await link.wait(first, "transcript");
    await link.stop(first);
    const second = again(first, {
      open: {
        kind: "native",
        token: ready.native_session_id ?? "",
        transcript: { bytes, sha256 },
        turns,
      },
      rebuild: { tree, restore: false, memory: null },
    });
    await link.call("start", second);
    const back = await link.wait(second, "ready");
    assert.deepEqual([back.opened, back.verified], ["resumed", true]);
    assert.match(await link.turn(second, "recall key"), /cucumber/);
    await link.stop(second);
  }));

test("[CPT-6] a memory that cannot be put back is said, and the agent starts without it", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token, tree, memory } = await worked(bench, link);
    const lost = { ...memory, tree: "0".repeat(64) };
    const next = again(order, {
      open: native(token),
      rebuild: { tree, restore: false, memory: lost },
    });
    await link.call("start", next);
    const ready = await link.wait(next, "ready");
    assert.equal(ready.opened, "new");
    assert.match(ready.failed?.message ?? "", /could not be put back/);
    await link.stop(next);
  }));

test("[CPT-4] a workspace that cannot be restored is a failure, and nothing is left in its place", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { order, token } = await worked(bench, link);
    await rm(order.cwd, { recursive: true });
    const cold = again(order, {
      open: native(token),
      rebuild: { tree: "0".repeat(64), restore: true, memory: null },
    });
    await link.call("start", cold);
    const { failure, message } = await link.wait(cold, "start_failed");
    assert.equal(failure, "workspace_missing");
    assert.match(message, /could not be restored/);
    assert.deepEqual(await readdir(dirname(order.cwd)), []);
  }));

test("[CPT-4] what a restore left that was cut off is finished by the next", () =>
  withBench(async (bench) => {
    let link = await bench.link();
    const { order, token, tree } = await worked(bench, link);
    const before = listing(order.cwd);
    // As if it had died before the rename, with one file still to be written and another half.
    const restores = join(bench.home, "blobs", "restores");
    const id = "a".repeat(32);
    await writeFile(
      join(restores, id),
      JSON.stringify({ kind: "directory", path: order.cwd }),
    );
    const draft = join(dirname(order.cwd), `.reprise-restore-${id}`);
    await rename(order.cwd, draft);
    await bench.down();
    await bench.up();
    link = await bench.link(2);
    await writeFile(join(draft, "src/a.txt"), "hel");
    await writeFile(join(draft, "left over"), "");
    const cold = again(order, {
      open: native(token),
      rebuild: { tree, restore: true, memory: null },
    });
    await link.call("start", cold);
    assert.equal((await link.wait(cold, "ready")).workspace, "restored");
    assert.equal(listing(order.cwd), before);
    await link.stop(cold);
  }));

test("[CPT-4] agentctl dies in the middle of a restore: given the order again, its successor finishes it", () =>
  withDaemon(async (bench) => {
    const link = await bench.link();
    const { order, token, tree, memory } = await worked(bench, link);
    const before = listing(order.cwd);
    await rm(order.cwd, { recursive: true });
    await rm(join(bench.home, "demo"), { recursive: true });
    const cold = again(order, {
      open: native(token),
      rebuild: { tree, restore: true, memory },
    });
    await link.call("start", cold);
    await bench.daemon.crashed();
    const [draft = "", ...others] = await readdir(dirname(order.cwd));
    assert.match(draft, /^\.reprise-restore-[0-9a-f]{32}$/);
    assert.deepEqual(others, []);

    await bench.daemonUp();
    const next = await bench.link(2);
    await next.call("start", cold);
    const ready = await next.wait(cold, "ready");
    assert.deepEqual([ready.workspace, ready.verified], ["restored", true]);
    assert.equal(listing(order.cwd), before);
    assert.match(await next.turn(cold, "recall key"), /cucumber/);
    await next.stop(cold);
  }, "checkpoint.restore.written"));
