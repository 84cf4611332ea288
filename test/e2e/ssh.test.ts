/** Sessions on a host that is reached by ssh: whatever is killed or cut, on either side, loses nothing and does nothing twice. */
import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import {
  SshHost,
  whyNoSshd,
} from "../../src/executors/ssh/fixtures/ssh-host.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { all, counted, counting } from "./counting.ts";
import { refusedWith } from "./far.ts";
import {
  allOf,
  isResumed,
  say,
  seenUntil,
  TestHouse,
  turnEnded,
} from "./house.ts";

const isReattached = (event: Event): boolean =>
  event.type === "session.resumed" && event.data.resume.grade === "reattached";

const houseWith = (host: SshHost, more: object = {}): Promise<TestHouse> =>
  TestHouse.make({ executors: { box: host.settings }, ...more });

describe("on a host of ssh", { skip: (await whyNoSshd()) ?? false }, () => {
  test("[SSH-1] [SSH-9] [EXE-7] [EXE-8] [EXE-9] a session has a directory and the environment that are there, and all that a session here has", async () => {
    await using host = await SshHost.start();
    await writeFile(
      join(host.userHome, ".profile"),
      "echo hello from the profile\nexport ONLY_THERE=yes\n",
    );
    await using house = await houseWith(host, { pass_env: ["SENT_*"] });
    const { client } = await house.up({ SENT_FAR: "ours", NOT_SENT: "no" });
    await eventually(
      async () => (await house.cli(["doctor"])).out,
      (out) => /ok +host box +can be reached/.test(out),
    );
    const made = await client.createSession({
      host: "box",
      env: { GIVEN: "by session" },
      prompt: "hello",
    });
    const { id, cwd } = made;
    assert.deepEqual(
      [made.executor, made.place],
      ["ssh", { kind: "ssh", id: "box" }],
    );
    assert.equal(dirname(cwd), join(host.home, "workspaces"));
    await seenUntil(client, id, turnEnded(1));
    await say(
      client,
      id,
      'run echo "$HOME|$ONLY_THERE|$GIVEN|$SENT_FAR|$NOT_SENT|$SSH_CONNECTION|" > env',
    );
    const told = (await readFile(join(cwd, "env"), "utf8")).trim();
    assert.equal(told, `${host.userHome}|yes|by session|ours|||`);
    const ran = await client.execCommand(id, { argv: ["cat", "env"] });
    assert.match(ran.stdout, /by session/);
    const shell = await client.openShell(id);
    await client.closeShell(id, shell.id);
    await client.pauseSession(id);
    assert.equal((await client.resumeSession(id)).resume?.grade, "native");

    const { places } = await client.listExecutors();
    const far = places.find((place) => place.host === "box");
    assert.deepEqual(
      [far?.executor, far?.available, far?.arch, far?.sessions],
      ["ssh", true, process.arch, 1],
    );
    const listed = await house.cli(["executors"]);
    assert.match(listed.out, /ssh +box +yes +no +1 /);
    const doctor = await house.cli(["doctor"]);
    assert.match(doctor.out, /ok +host box +answers in/);
    const started = await house.cli([
      "session",
      "start",
      "--executor",
      "ssh",
      "--json",
      "hello",
    ]);
    assert.match(started.out, /"kind":"ssh"/);
  });

  test("[SSH-5] [EXE-13] [EXE-14] [P2] ssh is cut in the middle of a turn: the agent works on, prompts are kept, and all is delivered once when it heals", async () => {
    await using host = await SshHost.start();
    await using house = await houseWith(host);
    const { client } = await house.up();
    const turn = await counting(house, client, {
      cwd: host.workspace,
      host: "box",
    });
    const { id, latch } = turn;
    const { agent_execution_id } = await client.showSession(id);
    await host.down();
    latch.open();
    const away = await eventually(
      () => client.sessionStatus(id),
      ({ troubles }) =>
        troubles.some(({ code }) => code === "agentctl_unavailable"),
    );
    assert.equal(away.state, "RUNNING");
    assert.match(away.troubles[0]?.text ?? "", /host box does not answer/);
    const kept = await client.queuePrompt(id, { text: "recall pass" });
    await host.up();
    const seen = await seenUntil(client, id, turnEnded(2));
    assert.ok(!seen.some(({ type }) => type === "session.turn.interrupted"));
    assert.ok(seen.some(isReattached));
    assert.equal((await client.showPrompt(id, kept.id)).state, "done");
    assert.deepEqual(await counted(client, id), all);
    assert.equal(await turn.taken(), 2);
    const after = await client.showSession(id);
    assert.equal(after.agent_execution_id, agent_execution_id);
  });

  test("[SSH-8] [EXE-11] [EXE-12] [P2] the server and agentctl are killed in the middle of a turn: the next ones have every byte, and the agent did not notice", async () => {
    await using host = await SshHost.start();
    await using house = await houseWith(host);
    const first = await house.up();
    const turn = await counting(house, first.client, {
      cwd: host.workspace,
      host: "box",
    });
    const { id } = turn;
    const before = await first.client.showSession(id);
    await first.kill();
    const { client } = await house.up();
    await seenUntil(client, id, isResumed, turn.seen.at(-1)?.seq);
    await host.killAgentctl();
    turn.latch.open();
    const rest = await seenUntil(
      client,
      id,
      allOf(isResumed, turnEnded(1)),
      turn.seen.at(-1)?.seq,
    );
    assert.ok(rest.some(isReattached));
    assert.deepEqual(await counted(client, id), all);
    const after = await client.showSession(id);
    assert.equal(after.agent_execution_id, before.agent_execution_id);
    assert.equal(await turn.taken(), 1);
  });

  test("[SSH-3] [SSH-6] [SSH-7] a host with another key, an unknown one, one that lets nobody in or lacks something is told, and used when that is mended", async () => {
    const directory = await TestHouse.make();
    await using _ = directory;
    const bin = join(directory.directory, "bin");
    await mkdir(bin);
    for (const name of ["uname", "mkdir", "mv", "rm", "sync", "tar"])
      await symlink(`/usr/bin/${name}`, join(bin, name));
    await using host = await SshHost.start({ PATH: bin });
    await using house = await houseWith(host);
    const { client } = await house.up();
    const refused = (...as: Parameters<typeof refusedWith>) =>
      assert.rejects(client.createSession({ host: "box" }), refusedWith(...as));
    await host.makeKey("other_key");
    await host.know("other_key");
    await refused("wrong_fingerprint", /Nothing was sent to it/);
    await host.know(null);
    await refused("host_not_usable", /does not know the key of the host box/);
    await host.know("host_key");
    await host.letIn(null);
    await refused("host_not_usable", /does not let this server log in/);
    await host.letIn("user_key");
    await refused("host_not_usable", /has no mkfifo/);
    await host.down();
    await refused("agentctl_unavailable", /cannot be reached by ssh/);
    await host.up();
    await symlink("/usr/bin/mkfifo", join(bin, "mkfifo"));
    const { place } = await client.createSession({ host: "box" });
    assert.equal(place.id, "box");
  });

  test("[SSH-10] [EXE-18] a directory on a host that another server uses is refused, and stays with that one", async () => {
    await using host = await SshHost.start();
    await using owner = await houseWith(host);
    await using stranger = await houseWith(host);
    const { client } = await owner.up();
    const { id } = await client.createSession({ host: "box" });
    const other = (await stranger.up()).client;
    await assert.rejects(
      other.createSession({ host: "box" }),
      refusedWith("host_not_usable", /belongs to another server/),
    );
    await say(client, id, "hello");
  });
});
