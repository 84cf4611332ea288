import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { WebSocketServer } from "ws";
import { LOCAL } from "../../contract/base/place.ts";
import { LinkRequest } from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { Attendant } from "../fixtures/attendant.ts";
import { makeHome, orderIn, promptTo, serverOf } from "../fixtures/stage.ts";
import { textOf } from "../link/frame.ts";
import { HELD_WORDS, heldAt } from "../../kit/fixtures/held-turn.ts";
import { Latch } from "../../kit/fixtures/latch.ts";

test("[LNK-32] [P2] a newer build takes over in the middle of a turn, the agent does not notice; an older server leaves it be", async (t) => {
  const home = await makeHome(t);
  const old = serverOf(home, 1, { version: "1.0.0" });
  const first = await old.obtain(LOCAL);
  const order = orderIn(home);
  const { execution_id, epoch } = order;
  const before = new Attendant(first, order);
  await first.start(order);
  using latch = new Latch(home);
  await promptTo(first, order, heldAt(latch));
  await before.first("text");
  await before.drained();
  await old.close();
  latch.open();
  const pidFile = join(home, "agentctl/executions", execution_id, "pid");
  const agent = await readFile(pidFile, "utf8");

  const newer = serverOf(home, 2, { version: "1.1.0" });
  const second = await newer.obtain(LOCAL);
  assert.match(second.build, /^1\.1\.0-/);
  assert.notEqual(second.pid, first.pid);
  assert.equal((await second.executions())[0]?.alive, true);
  const after = new Attendant(second, order, before.taken);
  await second.attach({ execution_id, epoch, from: before.taken });
  await after.first("turn_ended");
  assert.equal(before.text() + after.text(), HELD_WORDS);
  await promptTo(second, order, "remember A=B");
  await after.first("turn_ended", after.items.length);
  assert.equal(await readFile(pidFile, "utf8"), agent);
  await newer.close();

  const older = serverOf(home, 3, { version: "1.0.0" });
  const third = await older.obtain(LOCAL);
  assert.equal(third.pid, second.pid);
  assert.match(third.build, /^1\.1\.0-/);
});

test("[LNK-32] an agentctl of the release before, which cannot retire, is used as it is", async (t) => {
  const home = await makeHome(t);
  await pretend(t, home, (method) =>
    method === "hello"
      ? { result: { protocol: 1, build: "0.9.0-00000000", pid: 42 } }
      : { error: { code: "unknown_method", message: `no method ${method}` } },
  );
  const server = serverOf(home, 1, { version: "1.0.0" });
  assert.equal((await server.obtain(LOCAL)).build, "0.9.0-00000000");
});

test("[LNK-4] an agentctl that we cannot speak with is left alone, and the user is told what to do", async (t) => {
  const home = await makeHome(t);
  const asked: string[] = [];
  await pretend(t, home, (method) => {
    asked.push(method);
    return { error: { code: "incompatible_protocol", message: "8, not 1" } };
  });
  const server = serverOf(home, 1);
  await assert.rejects(
    server.obtain(LOCAL),
    (error) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message.includes("9.0.0-00000000") &&
      error.message.includes("Start the server of that release"),
  );
  assert.deepEqual(asked, ["hello", "hello"]);
  await server.close();
  const drafts = (await readdir(join(home, "agentctl"))).filter((name) =>
    /^0\.0\.0-test-\w+\./.test(name),
  );
  assert.deepEqual(drafts, [], "a closed server is still installing");
});

/** Stands in the daemon's place and answers as one of another release does. */
const pretend = async (
  t: TestContext,
  home: string,
  answer: (method: string) => object,
): Promise<void> => {
  const directory = join(home, "agentctl");
  await mkdir(directory, { mode: 0o700 });
  await writeFile(
    join(directory, "agentctl.json"),
    JSON.stringify({
      boot_id: "another",
      pid: 42,
      start_time: "1",
      socket: "",
      build: "9.0.0-00000000",
    }),
  );
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) =>
    socket.on("message", (data) => {
      const { id, method } = LinkRequest.parse(JSON.parse(textOf(data)));
      socket.send(JSON.stringify({ id, ...answer(method) }));
    }),
  );
  server.listen(join(directory, "agentctl.sock"));
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
};
