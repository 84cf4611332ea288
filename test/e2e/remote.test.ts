/** Sessions on another host: whatever is killed or cut, on either side, loses nothing and does nothing twice. */
import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { all, counted, counting } from "./counting.ts";
import { refusedWith, sharedFarHouse } from "./far.ts";
import { allOf, isResumed, say, seenUntil, turnEnded } from "./house.ts";

const test = sharedFarHouse({ pass_env: ["SENT_*"] });

const isReattached = (event: Event): boolean =>
  event.type === "session.resumed" && event.data.resume.grade === "reattached";

/** All of the turn came, once, in the same life of the agent, which took the prompt once. */
const isWhole = async (
  client: Client,
  { id, taken }: { id: string; taken: () => Promise<number> },
  execution: string | null,
): Promise<void> => {
  assert.deepEqual(await counted(client, id), all);
  const { agent_execution_id, unresolved_prompts } =
    await client.showSession(id);
  assert.equal(agent_execution_id, execution);
  assert.deepEqual(unresolved_prompts, []);
  assert.equal(await taken(), 1);
};

test("[EXE-1] [EXE-7] [EXE-8] a session on a host has a directory that was made there, and all that a session here has", async ({
  client,
}, host) => {
  const { name } = host;
  const made = await client.createSession({ host: name, prompt: "ask May I?" });
  assert.deepEqual(
    [made.executor, made.place],
    ["remote", { kind: "remote", id: name }],
  );
  const { id, cwd } = made;
  assert.equal(basename(cwd), id);
  assert.equal(dirname(cwd), join(host.home, "workspaces"));

  const { pending_permissions } = await eventually(
    () => client.showSession(id),
    (session) => session.pending_permissions.length === 1,
  );
  const [asked] = pending_permissions;
  const option = asked?.options[0];
  assert.ok(asked && option);
  await client.answerPermission(id, asked.id, option.id);
  await seenUntil(client, id, turnEnded(1));

  await say(client, id, "write NOTES.md hello");
  assert.match(await readFile(join(cwd, "NOTES.md"), "utf8"), /hello/);
  const { entries } = await client.listFiles(id, "");
  assert.ok(entries.some((entry) => entry.name === "NOTES.md"));
  const ran = await client.execCommand(id, { argv: ["cat", "NOTES.md"] });
  assert.match(ran.stdout, /hello/);
  const shell = await client.openShell(id);
  assert.deepEqual(
    (await client.listShells(id)).shells.map((each) => each.id),
    [shell.id],
  );
  await client.closeShell(id, shell.id);

  await client.pauseSession(id);
  assert.equal((await client.resumeSession(id)).resume?.grade, "native");
  await eventually(
    () => host.held("shells"),
    (held) => held.length === 0,
  );
  await client.endSession(id);
});

test("[EXE-9] an agent on a host has the environment of that host, what the session was given and what was named to go there", async (scene, host) => {
  await scene.server.stop();
  const env = { SENT_FAR: "ours", ANTHROPIC_MODEL: "not-sent" };
  scene.server = await scene.house.up(env);
  const { client } = scene;
  const { id, cwd } = await client.createSession({
    host: host.name,
    env: { GIVEN: "by session" },
    caller_env: { SENT_BY_CALLER: "too", HOME: "/nowhere", PATH: "/nowhere" },
  });
  await say(
    client,
    id,
    'run echo "$HOME|$ONLY_THERE|$GIVEN|$SENT_FAR|$SENT_BY_CALLER|$ANTHROPIC_MODEL|" > env',
  );
  const told = (await readFile(join(cwd, "env"), "utf8")).trim();
  assert.equal(told, `${host.userHome}|yes|by session|ours|too||`);
});

test("[EXE-10] checkpoints of a session on a host are there: diff, rewind and fork work with them", async ({
  client,
}, host) => {
  const { id, cwd } = await client.createSession({ host: host.name });
  await say(client, id, "write file.txt one");
  await say(client, id, "write file.txt two\nwrite more.txt two");
  await eventually(
    () => client.listCheckpoints(id),
    ({ checkpoints }) =>
      checkpoints.some(({ turn, kind }) => turn === 2 && kind === "turn"),
  );
  const rewound = await client.rewindSession(id, { turn: 1 });
  assert.equal(rewound.session.state, "WAITING_FOR_INPUT");
  assert.equal((await readFile(join(cwd, "file.txt"), "utf8")).trim(), "one");
  await assert.rejects(access(join(cwd, "more.txt")));

  const fork = await client.forkSession(id, { turn: 1 });
  assert.deepEqual(fork.place, { kind: "remote", id: host.name });
  assert.equal(fork.cwd, join(host.home, "workspaces", fork.id));
  await say(client, fork.id, "write of-the-fork.txt x");
  assert.equal(
    (await readFile(join(fork.cwd, "file.txt"), "utf8")).trim(),
    "one",
  );
});

test("[EXE-11] [P2] the server is killed in the middle of a turn on a host: the agent never notices, the next server has every byte", async (scene, host) => {
  const turn = await counting(scene.house, scene.client, {
    cwd: host.workspace,
    host: host.name,
  });
  const before = await scene.client.showSession(turn.id);
  await scene.server.kill();
  turn.latch.open();
  const { client } = await scene.up();
  const rest = await seenUntil(
    client,
    turn.id,
    allOf(isResumed, turnEnded(1)),
    turn.seen.at(-1)?.seq,
  );
  assert.ok(rest.some(isReattached));
  await isWhole(client, turn, before.agent_execution_id);
});

test("[EXE-12] [P2] agentctl is killed in the middle of a turn and started again: it adopts the agent, and the turn ends normally", async ({
  house,
  client,
}, host) => {
  const turn = await counting(house, client, {
    cwd: host.workspace,
    host: host.name,
  });
  const { agent_execution_id } = await client.showSession(turn.id);
  await host.kill();
  turn.latch.open();
  await host.up();
  const seen = await seenUntil(client, turn.id, turnEnded(1));
  assert.ok(!seen.some(({ type }) => type === "session.turn.interrupted"));
  await isWhole(client, turn, agent_execution_id);
  assert.equal(
    (await say(client, turn.id, "recall pass")).trim(),
    "pass=mellon",
  );
});

test("[EXE-13] [EXE-14] [P2] the link is cut in the middle of a turn: the agent works on, prompts are kept, and all is delivered when it heals", async ({
  house,
  client,
}, host) => {
  const turn = await counting(house, client, {
    cwd: host.workspace,
    host: host.name,
  });
  const { id, latch } = turn;
  const { agent_execution_id } = await client.showSession(id);
  host.cable.cut();
  latch.open();
  const away = await eventually(
    () => client.sessionStatus(id),
    ({ troubles }) =>
      troubles.some(({ code }) => code === "agentctl_unavailable"),
  );
  assert.equal(away.state, "RUNNING");
  assert.equal(away.executor_status, "starting");
  assert.match(
    away.troubles[0]?.text ?? "",
    /The host build-box does not answer/,
  );
  const kept = await client.queuePrompt(id, { text: "recall pass" });

  host.cable.heal();
  const seen = await seenUntil(client, id, turnEnded(2));
  assert.ok(!seen.some(({ type }) => type === "session.turn.interrupted"));
  assert.ok(seen.some(isReattached));
  assert.equal((await client.showPrompt(id, kept.id)).state, "done");
  assert.deepEqual(await counted(client, id), all);
  assert.equal(
    (await client.showSession(id)).agent_execution_id,
    agent_execution_id,
  );
  assert.equal(await turn.taken(), 2);
  const status = await client.sessionStatus(id);
  assert.deepEqual([status.executor_status, status.troubles], ["ready", []]);
});

test("[EXE-6] [EXE-16] [API-231] what does not work on a host is refused in words", async ({
  client,
  workspace,
}, host) => {
  const { name } = host;
  await assert.rejects(
    client.createSession({ host: "moon" }),
    refusedWith("host_not_usable", /Known are: build-box/),
  );
  await assert.rejects(
    client.createSession({ host: name, executor: "standalone" }),
    refusedWith("invalid_request", /this machine/),
  );
  await assert.rejects(
    client.createSession({ host: name, cwd: join(host.workspace, "no") }),
    refusedWith("cwd_not_found", /does not exist/),
  );
  await assert.rejects(
    client.createSession({ host: name, cwd: join(host.home, "agentctl") }),
    refusedWith("invalid_request", /belongs to Reprise/),
  );
  await assert.rejects(
    client.createSession({ host: name, worktree: workspace }),
    refusedWith("not_supported", /not on the host build-box/),
  );
  const { place } = await client.createSession({ executor: "remote" });
  assert.deepEqual(place, { kind: "remote", id: name });
});

test("[API-230] executors are listed with all places, and the command line and the doctor tell of them", async ({
  house,
  client,
}, host) => {
  await client.createSession({ host: host.name, prompt: "hello" });
  const { places } = await eventually(
    () => client.listExecutors(),
    (page) => page.places.some(({ sessions }) => sessions > 0),
  );
  const far = places.find((place) => place.host === host.name);
  assert.ok(far);
  assert.deepEqual(
    [far.executor, far.available, far.why, far.arch, far.sessions],
    ["remote", true, null, process.arch, 1],
  );
  assert.ok((far.latency_ms ?? 0) > 0 && far.build !== null);
  assert.equal(
    places.find((place) => place.host === null)?.executor,
    "standalone",
  );

  const listed = await house.cli(["executors"]);
  assert.match(listed.out, /remote +build-box +yes +no +1 /);
  host.cable.cut();
  const cut = await house.cli(["executors"]);
  assert.match(cut.out, /remote +build-box +no /);
  const doctor = await house.cli(["doctor"]);
  assert.match(doctor.out, /fail +host build-box .*build-box/);
  host.cable.heal();
  await eventually(
    async () => (await house.cli(["doctor"])).out,
    (out) => /ok +host build-box +answers in/.test(out),
  );
});
