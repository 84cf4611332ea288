import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PlaceId } from "../../contract/base/id.ts";
import { Executions } from "../execution/executions.ts";
import { TestLink } from "../fixtures/test-link.ts";
import { Commands } from "../run/commands.ts";
import { Owners } from "../base/owners.ts";
import { prepareDaemon } from "../daemon/daemon.ts";
import { Shells } from "../shells/shells.ts";
import { Transfers } from "../storage/transfers.ts";
import { listen } from "./listen.ts";
import { ordersOf } from "../orders/orders.ts";

test("[LNK-36] [REC-12] while it adopts it gives signs of life; hello is answered when all is known again", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "agentctl-"));
  t.after(() => rm(home, { recursive: true, maxRetries: 10 }));
  const log = () => undefined;
  const daemon = await prepareDaemon(home, log, {
    stallMs: 1000,
    lookMs: 1000,
  });
  const shells = new Shells(daemon);
  const adopted = Promise.withResolvers<void>();
  const listening = await listen(join(home, "a.sock"), "secret", {
    build: "test",
    placeId: PlaceId.parse(`plc_${"0".repeat(26)}`),
    owners: await Owners.open(home, home),
    orders: ordersOf(
      daemon,
      new Executions(daemon),
      new Commands(daemon),
      shells,
      () => undefined,
    ),
    shells,
    adopted: adopted.promise,
    giveWay: async () => undefined,
    openTransfers: () => new Transfers(daemon.storage),
    place: daemon,
    workspaces: daemon.workspaces,
    log,
  });
  t.after(() => listening.close());
  const link = await TestLink.open(join(home, "a.sock"), "secret");
  let answered = false;
  const hello = link
    .call("hello", { protocol: { min: 1, max: 1 }, build: "t", term: 1 })
    .finally(() => {
      answered = true;
    });
  link.socket.ping();
  await once(link.socket, "pong");
  assert.equal(answered, false);
  adopted.resolve();
  await hello;
  assert.deepEqual(await link.call("executions", {}), { executions: [] });
});
