/** What tells places, servers and executions apart, also after a restart of agentctl. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionId } from "../../contract/base/id.ts";
import { linkMethods, type LinkParams } from "../../contract/link/link.ts";
import { Fences } from "../base/fences.ts";
import { type Bench, withBench, withDaemon } from "../fixtures/bench.ts";
import { newSession } from "../fixtures/ids.ts";
import { TestLink } from "../fixtures/test-link.ts";

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

test("[LNK-83] an epoch that was forgotten stays superseded, also after a restart", () =>
  withDaemon(async (bench) => {
    const session_id = newSession();
    const order = (epoch: number) => bench.order("demo", { session_id, epoch });
    const first = await bench.link();
    const run = order(2);
    await first.call("start", run);
    await first.wait(run, "ready");
    await first.stop(run);
    const { execution_id, epoch } = run;
    await first.call("forget", { execution_id, epoch });
    const superseded = { code: "epoch_superseded" };
    await assert.rejects(first.call("start", order(1)), superseded);
    await bench.down();
    await bench.daemonUp();
    const next = await bench.link();
    for (const old of [order(1), order(2)])
      await assert.rejects(next.call("start", old), superseded);
    assert.deepEqual(await next.call("executions", {}), { executions: [] });
    assert.equal(await epochOf(bench, next, session_id), 2);
    await next.call("start", order(3));
    assert.equal(await epochOf(bench, next, session_id), 3);
  }));

test("[LNK-83] a fence goes with its session; a spoilt one locks nobody out", () =>
  withBench(async (bench) => {
    const fences = await Fences.open(join(bench.home, "agentctl", "fences"));
    const [gone, spoilt] = [newSession(), newSession()];
    const of = { owner: null, session: gone };
    await Promise.all([fences.raise(of, 3), fences.raise(of, 2)]);
    assert.equal(await fences.epochOf(of), 3);
    await writeFile(join(bench.home, "agentctl", "fences", spoilt), "\0");
    const link = await bench.link();
    assert.equal(await epochOf(bench, link, gone), 3);
    assert.equal(await epochOf(bench, link, spoilt), 0);
    await link.call("discard", { session_id: gone, worktree: null });
    assert.equal(await epochOf(bench, link, gone), 0);
  }));

const [ONE, OTHER] = ["0", "1"].map((n) => `own_${n.repeat(26)}`);

test("[LNK-81] [P4] servers of two homes do not fence each other; those of one home do, also after a restart", () =>
  withDaemon(async (bench) => {
    const superseded = { code: "term_superseded" };
    const one = await bench.link(5, ONE);
    const other = await bench.link(2, OTHER);
    const unnamed = await bench.link(1);
    for (const link of [one, other, unnamed])
      assert.deepEqual(await link.call("executions", {}), { executions: [] });
    const closed = once(other.socket, "close");
    await bench.link(3, OTHER);
    await closed;
    assert.ok(one.isOpen() && unnamed.isOpen());
    await bench.down();
    await bench.daemonUp();
    await assert.rejects(bench.link(4, ONE), superseded);
    await assert.rejects(bench.link(2, OTHER), superseded);
    await bench.link(3, OTHER);
    await bench.link(1);
  }));

test("[LNK-81] [REC-21] the home's own owner is whoever names none, and its terms are where they were", () =>
  withBench(async (bench) => {
    await writeFile(join(bench.home, "owner-id"), `${ONE}\n`);
    await bench.link(7, ONE);
    await assert.rejects(bench.link(6), { code: "term_superseded" });
    const seen = () => readFile(join(bench.home, "agentctl", "term"), "utf8");
    assert.equal(await seen(), "7\n");
    await bench.link(1, OTHER);
    assert.equal(await seen(), "7\n");
  }));

test("[LNK-82] an execution is its owner's, also after a restart: to others it is unknown, and their epochs do not end it", () =>
  withDaemon(async (bench) => {
    const session_id = newSession();
    const run = bench.order("demo", { session_id });
    const own = await bench.link(1, ONE);
    await own.call("start", run);
    await own.wait(run, "ready");
    await bench.down();
    await bench.daemonUp();
    const stranger = await bench.link(1, OTHER);
    assert.deepEqual(await stranger.call("executions", {}), { executions: [] });
    const { execution_id, epoch } = run;
    const named = { execution_id, epoch };
    const unknown = { code: "unknown_execution" };
    await assert.rejects(
      stranger.call("stop", { ...named, grace_ms: 0 }),
      unknown,
    );
    await assert.rejects(
      stranger.call("attach", { ...named, from: 0 }),
      unknown,
    );
    await assert.rejects(stranger.call("start", run), unknown);
    // The same session, brought into another home.
    const copy = bench.order("demo", { session_id, epoch: 2 });
    await stranger.call("start", copy);
    await stranger.wait(copy, "ready");
    const again = await bench.link(1, ONE);
    await again.call("attach", { ...named, from: 0 });
    assert.match(await again.turn(run, "hello"), /You said: hello/);
  }));

test("[LNK-94] what lives for another owner is neither seen nor ended, and is no predecessor to go over", () =>
  withDaemon(async (bench) => {
    const session_id = newSession();
    const run = bench.order("demo", { session_id });
    const { execution_id } = run;
    const own = await bench.link(1, ONE);
    await own.call("start", run);
    await own.wait(run, "ready");
    const stranger = await bench.link(1, OTHER);
    assert.equal((await lookAt(bench, own, run)).alive, true);
    const { alive, survivors } = await lookAt(bench, stranger, run);
    assert.deepEqual([alive, survivors], [false, []]);
    const nobody = { pids: [] };
    assert.deepEqual(
      await stranger.call("survivors", { execution_id }),
      nobody,
    );
    await stranger.call("clear", { execution_id });
    const copy = bench.order("demo", {
      session_id,
      epoch: 2,
      predecessors: [execution_id],
    });
    await assert.rejects(stranger.call("start", copy), {
      code: "predecessor_alive",
    });
    assert.match(await own.turn(run, "hello"), /You said: hello/);
    await own.stop(run);
    await stranger.call("start", copy);
    await stranger.wait(copy, "ready");
    await stranger.stop(copy);
  }));

test("[LNK-98] the refusal to start beside an agent of nobody's names its processes, and without them the session goes on", () =>
  withDaemon(async (bench) => {
    const session_id = newSession();
    const run = bench.order("demo", { session_id });
    const { execution_id } = run;
    // Nothing says that this is the home's own server, and the next one has another id.
    const lost = await bench.link(1, ONE);
    await lost.call("start", run);
    await lost.wait(run, "ready");
    await writeFile(join(bench.home, "owner-id"), `${OTHER}\n`);
    const own = await bench.link(2, OTHER);
    const next = bench.order("demo", {
      session_id,
      epoch: 2,
      predecessors: [execution_id],
    });
    const refusal = await own.call("start", next).catch(String);
    const pids = /\(kill ([\d ]+)\)/.exec(String(refusal))?.[1]?.split(" ");
    assert.ok(pids !== undefined && pids.length > 0, String(refusal));
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    await lost.wait(run, "ended");
    await own.call("start", next);
    await own.wait(next, "ready");
    await own.stop(next);
  }));

test("[LNK-93] [P4] the home's own server stays its own when owner-id is removed or replaced and agentctl is restarted", () =>
  withDaemon(async (bench) => {
    const file = join(bench.home, "owner-id");
    await writeFile(file, `${ONE}\n`);
    const run = bench.order("demo");
    const first = await bench.link(1, ONE);
    await first.call("start", run);
    await first.wait(run, "ready");
    for (const spoil of [
      () => rm(file),
      () => writeFile(file, `${OTHER}\n`),
      async () => {
        await rm(file);
        await mkdir(file);
      },
    ]) {
      await spoil();
      await bench.down();
      await bench.daemonUp();
      const link = await bench.link(1, ONE);
      const listed = linkMethods.executions.result.parse(
        await link.call("executions", {}),
      );
      assert.deepEqual(
        listed.executions.map((each) => [each.execution_id, each.alive]),
        [[run.execution_id, true]],
      );
    }
    await rm(file, { recursive: true });
    const link = await bench.link(1, ONE);
    const { execution_id, epoch } = run;
    await link.call("attach", { execution_id, epoch, from: 0 });
    assert.match(await link.turn(run, "hello"), /You said: hello/);
    // Whoever brings the id that the home has now takes its place.
    await writeFile(file, `${OTHER}\n`);
    await bench.link(2, OTHER);
    await bench.link(1, ONE);
    await assert.rejects(bench.link(1, OTHER), { code: "term_superseded" });
  }));

test("[LNK-85] files are removed and repaired for the home's own server only", () =>
  withBench(async (bench) => {
    const session_id = newSession();
    const own = join(bench.home, "workspaces", session_id);
    await mkdir(own, { recursive: true });
    const stranger = await bench.link(1, OTHER);
    const refused = { code: "not_owner" };
    const verify = { trees: [], dry_run: false };
    const orders = [
      ["discard", { session_id, worktree: null }],
      ["abandon", { session_id }],
      ["prune_begin", {}],
      ["prune", { mark: "", trees: [], dry_run: false }],
      ["verify", verify],
    ] as const;
    for (const [method, order] of orders)
      await assert.rejects(stranger.call(method, order), refused, method);
    await stranger.call("verify", { ...verify, dry_run: true });
    await access(own);
    const server = await bench.link(1);
    await server.call("discard", { session_id, worktree: null });
    await assert.rejects(access(own), { code: "ENOENT" });
  }));

const epochOf = async (bench: Bench, link: TestLink, session_id: SessionId) =>
  (await lookAt(bench, link, { session_id, execution_id: null })).epoch;

const lookAt = async (
  bench: Bench,
  link: TestLink,
  {
    session_id,
    execution_id,
  }: Pick<LinkParams<"look">, "session_id" | "execution_id">,
) => {
  const { definition, env, cwd } = bench.order("demo");
  const agent = { definition, env, token: null };
  const asked = { session_id, execution_id, cwd, agent };
  return linkMethods.look.result.parse(await link.call("look", asked));
};

const hello = async (bench: Bench) => {
  const link = await TestLink.open(bench.socketPath, bench.token);
  const params = { protocol: { min: 1, max: 1 }, build: "t", term: 1 };
  const answer = await link.call("hello", params);
  link.drop();
  return linkMethods.hello.result.parse(answer);
};
