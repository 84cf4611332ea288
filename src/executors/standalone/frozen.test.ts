import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { identify, isRunning } from "../../kit/processes/process-identity.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { makeHome, orderIn, promptTo, serverOf } from "../fixtures/stage.ts";
import { endFrozen } from "./frozen.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";
import { patience } from "../../kit/fixtures/patience.ts";

test("[REC-12] [P2] [P4] a daemon frozen in the middle of a turn is ended, its successor adopts, and nothing is lost or done twice", async (t) => {
  const home = await makeHome(t);
  const first = await serverOf(home, 1).obtain(LOCAL);
  const order = orderIn(home);
  const before = new Attendant(first, order);
  await first.start(order);
  using latch = new Latch(home);
  await promptTo(first, order, heldAt(latch));
  await before.first("text");
  assert.ok(first.pid);
  const daemon = await identify(first.pid);
  process.kill(first.pid, "SIGSTOP");
  latch.open();

  const next = await serverOf(home, 2, { silenceMs: patience(1000) }).obtain(
    LOCAL,
  );
  assert.notEqual(next.pid, first.pid);
  assert.ok(daemon && !(await isRunning(daemon)));
  const after = new Attendant(next, order, before.taken);
  const { execution_id, epoch } = order;
  await next.attach({ execution_id, epoch, from: before.taken });
  await after.first("turn_ended");
  assert.equal(before.text() + after.text(), HELD_WORDS);
  const ledger = await readFile(join(home, "ledger"), "utf8");
  assert.equal(ledger.trim().split("\n").length, 1);
});

test("[REC-12] a server notices that the daemon it is connected to is frozen", async (t) => {
  const home = await makeHome(t);
  const server = serverOf(home, 1, { silenceMs: patience(1000) });
  const place = await server.obtain(LOCAL);
  assert.ok(place.pid);
  process.kill(place.pid, "SIGSTOP");
  await place.closed;
  const next = await server.obtain(LOCAL);
  assert.notEqual(next.pid, place.pid);
  assert.equal((await next.workspace(home)).kind, "directory");
});

test("[LNK-49] a daemon that froze the moment it held the home, before it said a word, is ended and replaced", async (t) => {
  const home = await makeHome(t);
  const plan = join(home, "plan");
  await writeFile(plan, "agentctl.held");
  const env = {
    ...process.env,
    REPRISE_CRASH_AGENTCTL_PLAN: plan,
    REPRISE_CRASH_SIGNAL: "SIGSTOP",
  };
  await assert.rejects(
    serverOf(home, 1, { env, readyMs: patience(3000) }).obtain(LOCAL),
    /does not listen in time/,
  );
  const next = serverOf(home, 2, {
    readyMs: patience(6000),
    silenceMs: patience(1000),
  });
  const place = await next.obtain(LOCAL);
  assert.equal(await readFile(plan, "utf8"), "");
  assert.equal((await place.workspace(home)).kind, "directory");
});

test("[REC-12] whoever closes need not wait for a daemon that gives no sign of life", async (t) => {
  const home = await makeHome(t);
  const accepted = Promise.withResolvers<void>();
  await listenIn(t, home, () => accepted.resolve());
  const server = serverOf(home, 1, { silenceMs: 600_000 });
  const refused = assert.rejects(server.obtain(LOCAL));
  await accepted.promise;
  await server.close();
  await refused;
});

test("[REC-12] [P4] a process that is not provably the daemon is never ended", async (t) => {
  const home = await makeHome(t);
  const directory = await listenIn(t, home);
  const bystander = spawn("sleep", ["1000"], { stdio: "ignore" });
  t.after(() => bystander.kill("SIGKILL"));
  const identity = await identify(bystander.pid ?? 0);
  assert.ok(identity);
  const file = (about: object) =>
    writeFile(
      join(directory, "agentctl.json"),
      JSON.stringify({ ...about, socket: "s", build: "b" }),
    );
  for (const about of [
    { ...identity, start_time: "1" },
    { ...identity, boot_id: "another" },
    { pid: identity.pid },
  ]) {
    await file(about);
    assert.equal(await endFrozen(directory), null);
  }
  await assert.rejects(
    serverOf(home, 1, { silenceMs: 50 }).obtain(LOCAL),
    (error) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message.includes("which process that is"),
  );
  assert.equal(await isRunning(identity), true);
  await file(identity);
  assert.equal((await endFrozen(directory))?.pid, identity.pid);
  assert.equal(await isRunning(identity), false);
});

/** Somebody who accepts connections where the daemon should be, and never says a word. */
const listenIn = async (
  t: TestContext,
  home: string,
  onConnection: () => void = () => undefined,
): Promise<string> => {
  const directory = join(home, "agentctl");
  await mkdir(directory, { mode: 0o700 });
  const stranger = createServer(onConnection);
  t.after(() => stranger.close());
  stranger.listen(join(directory, "agentctl.sock"));
  await once(stranger, "listening");
  return directory;
};
