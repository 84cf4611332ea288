/** Hosts that are away, or are not what they are taken for. */
import assert from "node:assert/strict";
import { chmod, copyFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, until } from "../../src/kit/fixtures/patience.ts";
import { all, counted, counting } from "./counting.ts";
import { Cable, FarHost, refusedWith } from "./far.ts";
import { say, seenUntil, TestHouse, turnEnded } from "./house.ts";

test("[EXE-14] [EXE-15] [EXE-19] [EXE-20] a host that is away when the server starts delays nothing and nobody: its sessions say so, and go on when it is back", async () => {
  await using host = await FarHost.start();
  await using house = await TestHouse.make({
    ...host.config,
    remote_timeout_seconds: 1,
  });
  const first = await house.up();
  const turn = await counting(house, first.client, {
    cwd: host.workspace,
    host: host.name,
  });
  const { id } = turn;
  const { agent_execution_id } = await first.client.showSession(id);
  const resting = await first.client.createSession({ host: host.name });
  await first.client.pauseSession(resting.id);
  await first.kill();
  host.cable.cut();
  await host.kill();
  turn.latch.open();

  const { client } = await house.up();
  const here = await client.createSession({ cwd: house.workspace });
  await say(client, here.id, "hello");
  const failed = await eventually(
    () => client.sessionStatus(id),
    ({ executor_status }) => executor_status === "error",
  );
  assert.equal(failed.state, "RUNNING");
  const kept = await client.queuePrompt(id, { text: "recall pass" });
  const waiting = await client.queuePrompt(resting.id, { text: "hello" });
  const unstarted = await eventually(
    () => client.sessionStatus(resting.id),
    ({ executor_status }) => executor_status === "error",
  );
  assert.equal(unstarted.state, "STARTING");
  const told = await seenUntil(
    client,
    resting.id,
    ({ type }) => type === "session.agentctl_error",
  );
  const error = told.at(-1);
  assert.ok(error?.type === "session.agentctl_error");
  assert.equal(error.data.code, "host_unreachable");
  assert.match(error.data.message, /host build-box has not been reached for/);

  await host.up();
  host.cable.heal();
  await seenUntil(client, id, turnEnded(2));
  assert.deepEqual(await counted(client, id), all);
  assert.equal(
    (await client.showSession(id)).agent_execution_id,
    agent_execution_id,
  );
  assert.equal((await client.showPrompt(id, kept.id)).state, "done");
  await seenUntil(client, resting.id, turnEnded(1));
  assert.equal((await client.showPrompt(resting.id, waiting.id)).state, "done");
  for (const session of [id, resting.id])
    assert.equal(
      (await client.sessionStatus(session)).executor_status,
      "ready",
    );
});

test("[EXE-3] [EXE-17] a host with another certificate is told, and is sent nothing", async () => {
  await using host = await FarHost.start();
  await using impostor = await FarHost.start("impostor");
  const settings = { ...host.settings, address: impostor.cable.address };
  await using house = await TestHouse.make({
    executors: { [host.name]: settings },
  });
  const { client } = await house.up();
  await assert.rejects(
    client.createSession({ host: host.name }),
    refusedWith("wrong_fingerprint", /Nothing was sent to it/),
  );
  const { places } = await client.listExecutors();
  const place = places.find((each) => each.host === host.name);
  assert.equal(place?.available, false);
  assert.ok(place.why?.includes(impostor.fingerprint), place.why ?? "");
});

test("[EXE-5] [EXE-17] a token that is wrong, missing or open to others is told; once the file is right, the host can be used", async () => {
  await using host = await FarHost.start();
  await using house = await TestHouse.make({
    executors: { [host.name]: { ...host.settings, token_file: "box.token" } },
  });
  const file = join(house.home, "box.token");
  const { client } = await house.up();
  const refused = (words: RegExp) =>
    assert.rejects(
      client.createSession({ host: host.name }),
      refusedWith("host_not_usable", words),
    );
  await refused(/there is no such file/);
  await writeFile(file, "0".repeat(64), { mode: 0o600 });
  await refused(/does not accept the token in .*box\.token/);
  await copyFile(host.tokenFile, file);
  await chmod(file, 0o644);
  await refused(/chmod 600/);
  await chmod(file, 0o600);
  const { place } = await client.createSession({ host: host.name });
  assert.equal(place.id, host.name);
});

test("[EXE-18] a host that belongs to another server is told, and stays with that one", async () => {
  await using host = await FarHost.start();
  await using owner = await TestHouse.make(host.config);
  await using stranger = await TestHouse.make(host.config);
  const { client } = await owner.up();
  const { id } = await client.createSession({ host: host.name });
  const other = (await stranger.up()).client;
  await assert.rejects(
    other.createSession({ host: host.name }),
    refusedWith("host_not_usable", /belongs to another server/),
  );
  await say(client, id, "hello");
});

test("[EXE-17] nobody listens, somebody else listens, nobody answers: each is told apart", async () => {
  const fingerprint = `sha256:${"0".repeat(64)}`;
  await using cable = await Cable.lay();
  await using silent = await Cable.lay();
  await using web = createHttpServer((_, response) => response.end("hello"));
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  cable.cut();
  silent.hold();
  const at = (address: string) => ({
    kind: "remote",
    address,
    fingerprint,
    token_file: "some.token",
  });
  const { port: webPort } = web.address() as AddressInfo;
  await using house = await TestHouse.make({
    executors: {
      // A port that is given to nobody who asks for any.
      nobody: at("127.0.0.1:1"),
      other: at(`127.0.0.1:${webPort}`),
      gone: at(cable.address),
      silent: at(silent.address),
    },
  });
  await writeFile(join(house.home, "some.token"), "a".repeat(64), {
    mode: 0o600,
  });
  const { client } = await house.up();
  const refused = (
    host: string,
    ...as: Parameters<typeof refusedWith>
  ): Promise<void> =>
    assert.rejects(client.createSession({ host }), refusedWith(...as));
  await refused("nobody", "agentctl_unavailable", /Nobody listens on the host/);
  await refused("other", "host_not_usable", /no agentctl that speaks TLS 1\.3/);
  await refused("gone", "agentctl_unavailable", /cannot be reached/);
  await refused("silent", "agentctl_unavailable", /cannot be reached/);
  await assert.rejects(
    client.createSession({ executor: "remote" }),
    refusedWith("invalid_request", /nobody, other, gone, silent/),
  );
  await until(async () =>
    (await client.listExecutors()).places.every(
      ({ host, available }) => available === (host === null),
    ),
  );
});
