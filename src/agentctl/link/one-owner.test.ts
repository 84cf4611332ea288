import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { linkMethods } from "../../contract/link/link.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";
import { Daemon } from "../fixtures/daemon.ts";
import { newOwner, OnNetwork } from "../fixtures/on-network.ts";

const refused = { code: "not_owner" };

const claimOf = ({ bench }: OnNetwork): string =>
  join(bench.home, "agentctl/owner");

test("[LNK-115] the first owner that comes over the network owns the home, also after kill -9; others are told what to do", async () => {
  await using at = await OnNetwork.startDaemon();
  const [first, other] = [newOwner(), newOwner()];
  await at.link(first);
  assert.equal(await readFile(claimOf(at), "utf8"), `${first}\n`);
  const refusal = {
    ...refused,
    message: new RegExp(`${first}.*--home.*remove .*agentctl/owner`),
  };
  await assert.rejects(at.link(other, 9), refusal);
  await at.bench.daemon.kill();
  await at.daemonUp();
  await assert.rejects(at.link(other, 9), refusal);
  await assert.rejects(at.bench.link(9, other), refusal, "on the socket");
  await assert.rejects(at.bench.link(9), refusal, "without a name");
  await at.link(first, 2);
  await at.bench.link(2, first);
  // As the words say.
  await at.bench.daemon.kill();
  await rm(claimOf(at));
  await at.daemonUp();
  await at.link(other, 1);
  await assert.rejects(at.link(first, 3), refused);
});

test("[LNK-115] killed when the owner is written down and not yet answered, it has that owner", async () => {
  await using at = await OnNetwork.startDaemon();
  const [first, other] = [newOwner(), newOwner()];
  await at.bench.arm("file.placed");
  await assert.rejects(at.link(first));
  await at.bench.daemon.crashed();
  await at.daemonUp();
  await assert.rejects(at.link(other), refused);
  await at.link(first);
});

test("[LNK-115] killed before the owner is written down, it has none", async () => {
  await using at = await OnNetwork.startDaemon();
  const [first, other] = [newOwner(), newOwner()];
  await at.bench.arm("file.written");
  await assert.rejects(at.link(first));
  await at.bench.daemon.crashed();
  assert.equal(existsSync(claimOf(at)), false);
  await at.daemonUp();
  await at.link(other);
  await assert.rejects(at.link(first), refused);
});

test("[LNK-115] of many owners that come at once one is taken", async () => {
  await using at = await OnNetwork.start();
  const owners = Array.from({ length: 6 }, newOwner);
  const outcomes = await Promise.allSettled(
    owners.map((owner) => at.link(owner)),
  );
  const taken = outcomes.filter(({ status }) => status === "fulfilled");
  assert.equal(taken.length, 1);
});

test("[LNK-115] whoever does not say whose server it is, or cannot be served, owns nothing", async () => {
  await using at = await OnNetwork.start();
  const nameless = await at.dial();
  const protocol = { min: 1, max: 1 };
  const hello = { protocol, build: "t", term: 1 };
  await assert.rejects(nameless.call("hello", hello), refused);
  const newer = { ...hello, protocol: { min: 900, max: 900 } };
  await assert.rejects(
    nameless.call("hello", { ...newer, owner: newOwner() }),
    { code: "incompatible_protocol" },
  );
  assert.equal(existsSync(claimOf(at)), false);
  // It did not go because of that, although it has no agents.
  await at.link(newOwner());
});

test("[LNK-115] a damaged owner file stops the start and is left as it is", async () => {
  await using at = await OnNetwork.startDaemon();
  await at.bench.daemon.kill();
  await writeFile(claimOf(at), "nobody\n");
  const daemon = Daemon.spawn(
    at.bench.home,
    at.bench.socketPath,
    undefined,
    undefined,
    ["--listen", "127.0.0.1:0"],
  );
  assert.match(await daemon.stderr(), /does not hold the id of an owner/);
  await daemon.exited;
  assert.equal(daemon.child.exitCode, 1);
  assert.equal(await readFile(claimOf(at), "utf8"), "nobody\n");
});

test("[LNK-115] its owner may remove files there", async () => {
  await using at = await OnNetwork.start();
  const link = await at.link(newOwner());
  const { mark } = linkMethods.prune_begin.result.parse(
    await link.call("prune_begin", {}),
  );
  await link.call("prune", { mark, trees: [], dry_run: true });
});

test("[LNK-116] no server makes it go, and it does not start in the home of one", async () => {
  await using at = await OnNetwork.startDaemon();
  const owner = newOwner();
  const link = await at.link(owner);
  await assert.rejects(link.call("retire", {}), { code: "unknown_method" });
  assert.deepEqual(await link.call("executions", {}), { executions: [] });
  await at.bench.daemon.kill();
  await writeFile(join(at.bench.home, "owner-id"), `${owner}\n`);
  const { home, socketPath } = at.bench;
  const daemon = Daemon.spawn(home, socketPath, undefined, undefined, [
    "--listen",
    "127.0.0.1:0",
  ]);
  assert.match(await daemon.stderr(), /is the home of a server.*--home/);
  await daemon.exited;
  assert.equal(daemon.child.exitCode, 1);
});

test("[LNK-116] a home in which a server was started meanwhile is not claimed over the network", async () => {
  await using at = await OnNetwork.start();
  const own = newOwner();
  await writeFile(join(at.bench.home, "owner-id"), `${own}\n`);
  await assert.rejects(at.link(newOwner()), {
    ...refused,
    message: /has a server of its own.*--home/,
  });
  await at.bench.link(1, own);
});

test("[LNK-120] [P2] killed in the middle of a turn and started again, it tells the turn whole", async () => {
  await using at = await OnNetwork.startDaemon();
  const { bench } = at;
  const owner = newOwner();
  const order = bench.order("demo");
  const first = await at.link(owner);
  await first.call("start", order);
  using latch = new Latch(bench.home);
  const prompt_id = await first.prompt(order, heldAt(latch));
  await first.until(
    order,
    (it) => it.kind === "text" && it.text.includes("5\n"),
  );
  await bench.daemon.kill();
  latch.open();
  const from = Math.max(...first.of(order).map((it) => it.range?.to ?? 0));
  await at.daemonUp();
  const next = await at.link(owner, 2);
  const { execution_id, epoch } = order;
  await next.call("attach", { execution_id, epoch, from });
  const end = await next.wait(order, "turn_ended");
  assert.deepEqual([end.prompt_id, end.stop_reason], [prompt_id, "end_turn"]);
  assert.equal(first.text(order) + next.text(order), HELD_WORDS);
  await next.stop(order);
});

test("[LNK-120] SIGINT ends it and not its agents: the next one takes them over", async () => {
  await using at = await OnNetwork.startDaemon();
  const owner = newOwner();
  const order = at.bench.order("demo");
  const first = await at.link(owner);
  await first.call("start", order);
  await first.wait(order, "ready");
  await at.bench.daemon.kill("SIGINT");
  assert.equal(at.bench.daemon.child.exitCode, 0);
  await at.daemonUp();
  const next = await at.link(owner, 2);
  const { execution_id, epoch } = order;
  await next.call("attach", { execution_id, epoch, from: 0 });
  assert.match(await next.turn(order, "hello"), /You said: hello/);
  await next.stop(order);
});

test("[LNK-120] an address that is taken is said, and nothing is left behind", async () => {
  await using at = await OnNetwork.start();
  const home = join(at.bench.home, "second");
  await mkdir(home, { mode: 0o700 });
  const daemon = Daemon.spawn(
    home,
    join(home, "a.sock"),
    undefined,
    undefined,
    ["--listen", `127.0.0.1:${at.port}`],
  );
  assert.match(
    await daemon.stderr(),
    /Port \d+ of 127\.0\.0\.1 is taken.*--listen/,
  );
  await daemon.exited;
  assert.equal(daemon.child.exitCode, 1);
  for (const name of ["a.sock", "agentctl/agentctl.json"])
    assert.equal(existsSync(join(home, name)), false, name);
});
