import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { until } from "../../src/kit/fixtures/patience.ts";
import { root, seenUntil } from "./house.ts";
import { type Scene, sharedHouse } from "./shared-house.ts";

const test = sharedHouse({
  agents: { missing: { command: ["/nonexistent/agent"] } },
});

const Race = z.object({
  name: z.string(),
  kept: z.number().nullable(),
  runs: z.array(
    z.object({
      number: z.number(),
      agent: z.string(),
      session_id: z.string().nullable(),
      cwd: z.string().nullable(),
      status: z.string(),
      text: z.string(),
      error: z.object({ message: z.string() }).nullable(),
      files: z.array(z.object({ path: z.string(), change: z.string() })),
      lines: z.object({ added: z.number(), removed: z.number() }).nullable(),
      took_ms: z.number().nullable(),
      check: z
        .object({ exit_code: z.number().nullable(), output: z.string() })
        .nullable(),
    }),
  ),
});

test("[RAC-1] [RAC-2] [RAC-5] [RAC-6] [RAC-8] runs are compared, one is kept, the others go to the trash", async (scene) => {
  const { client, workspace } = scene;
  await repository(workspace);
  const { code, out, err } = await race(
    scene,
    "write a.txt one\nwrite b.txt two",
    "--agents",
    "demo,demo-fresh",
    "--n",
    "2",
    "--keep",
    "3",
    "--json",
    "--check",
    'test "$(cat a.txt)" = one && echo $((40 + 2))',
  );
  assert.equal(code, 0, err);
  const { kept, runs } = Race.parse(JSON.parse(out));
  assert.equal(kept, 3);
  assert.deepEqual(
    runs.map(({ number, agent, status }) => `${number} ${agent} ${status}`),
    [
      "1 demo completed",
      "2 demo completed",
      "3 demo-fresh completed",
      "4 demo-fresh completed",
    ],
    out,
  );
  assert.equal(new Set(runs.map(({ cwd }) => cwd)).size, 4);
  for (const { files, lines, took_ms, check, session_id, number } of runs) {
    assert.deepEqual(files.map(({ path }) => path).toSorted(), [
      "a.txt",
      "b.txt",
    ]);
    assert.equal(lines?.added, 2);
    assert.ok((took_ms ?? -1) >= 0);
    assert.deepEqual(check, { exit_code: 0, output: "42\n" });
    const { deleted_at } = await client.showSession(session_id ?? "");
    assert.equal(deleted_at === null, number === 3);
  }
});

test("[RAC-4] a race whose command was killed is taken up again, and no prompt is sent twice", async (scene) => {
  const { house, client, workspace } = scene;
  await repository(workspace);
  const latch = house.latch();
  const args = [
    `run ${latch.wait}\nwrite a.txt one`,
    "--n",
    "2",
    "--name",
    "again",
    "--json",
  ];
  const child = spawn(join(root, "bin/reprise"), ["race", ...args], {
    cwd: workspace,
    env: house.env(),
    stdio: "ignore",
  });
  await until(async () => (await named(scene, "again")).length === 2);
  for (const id of await named(scene, "again"))
    await seenUntil(
      client,
      id,
      ({ type }) => type === "session.prompt.delivered",
    );
  child.kill("SIGKILL");
  await once(child, "close");
  await scene.server.kill();
  await scene.up();

  latch.open();
  const { code, out, err } = await race(scene, ...args);
  assert.equal(code, 0, err);
  const { runs } = Race.parse(JSON.parse(out));
  assert.deepEqual(
    runs.map(({ status }) => status),
    ["completed", "completed"],
  );
  assert.equal((await named(scene, "again")).length, 2);
  for (const { session_id } of runs)
    assert.equal(
      (await scene.client.showSession(session_id ?? "")).turn_count,
      1,
    );

  const [prompt = ""] = args;
  for (const [words, ...changed] of [
    [/begun with another prompt\. Repeat/, "else", "--n", "2"],
    [/with 2 runs \(demo, demo\) instead of 1 run \(demo\)\./, prompt],
    [/instead of 3 runs \(demo, demo, demo\)\./, prompt, "--n", "3"],
    [
      /instead of 2 runs \(demo, demo-fresh\)\. .* choose another --name/,
      prompt,
      "--agents",
      "demo,demo-fresh",
    ],
    [
      /begun without --permissions\./,
      prompt,
      "--n",
      "2",
      "--permissions",
      "allow-all",
    ],
  ] as const) {
    const other = await race(scene, ...changed, "--name", "again");
    assert.equal(other.code, 4, other.err);
    assert.match(other.err, words);
  }
  assert.equal((await named(scene, "again")).length, 2, "none was started");
  const kept = await race(scene, ...args, "--keep", "1");
  assert.equal(kept.code, 0, kept.err);
  const repeated = await race(scene, ...args, "--keep", "1");
  assert.equal(repeated.code, 0, repeated.err);
  assert.equal((await named(scene, "again")).length, 1);
});

test("[RAC-2] [RAC-4] forks of a session, also for another agent; another session is another race", async (scene) => {
  const { client, workspace } = scene;
  const session = await client.createSession({
    cwd: workspace,
    prompt: "remember colour=teal",
  });
  await seenUntil(
    client,
    session.id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
  );
  const { code, out, err } = await race(
    scene,
    "recall colour",
    "--session",
    session.id,
    "--agents",
    "demo,demo-inject",
    "--name",
    "forks",
    "--json",
  );
  assert.equal(code, 0, err);
  for (const { text, error } of Race.parse(JSON.parse(out)).runs)
    assert.match(text, /colour=teal/, error?.message);

  const [fork = ""] = await named(scene, "forks");
  const other = await race(
    scene,
    "recall colour",
    "--session",
    fork,
    "--agents",
    "demo,demo-inject",
    "--name",
    "forks",
  );
  assert.equal(other.code, 4, other.err);
  assert.match(
    other.err,
    new RegExp(`in forks of ${session.id} instead of in forks of ${fork}`),
  );
  assert.equal((await named(scene, "forks")).length, 2, "none was started");
});

test("[RAC-3] [RAC-9] what cannot be started is told, the others go on; a check that fails fails the race", async (scene) => {
  await repository(scene.workspace);
  const { code, out, err } = await race(
    scene,
    "hello",
    "--agents",
    "missing,demo",
    "--check",
    "echo no; exit 3",
  );
  assert.equal(code, 1, err);
  assert.match(err, /^1 missing: failed: .*not installed/m);
  assert.match(out, /^1 {2}missing {2}failed {5}–/m);
  assert.match(out, /^2 {2}demo {5}completed {2}0 .* failed \(3\) /m);
  const none = await race(scene, "hello", "--agents", "missing");
  assert.equal(none.code, 1);
  assert.match(none.err, /not installed/);
  await race(scene, "hello", "--agents", "missing", "--name", "free");
  const free = await race(scene, "hello", "--name", "free");
  assert.equal(free.code, 0, "the name was not taken");
});

test("[RAC-2] without a repository it says what is missing", async (scene) => {
  const { code, err } = await race(scene, "hello");
  assert.equal(code, 2);
  assert.match(err, /not a git repository/i);
});

test("[RAC-7] [RAC-9] a question is told and its answer waited for; Ctrl-C leaves the sessions alone", async (scene) => {
  const { house, workspace } = scene;
  await repository(workspace);
  const child = spawn(
    join(root, "bin/reprise"),
    ["race", "ask-write a.txt x", "--name", "asking"],
    { cwd: workspace, env: house.env(), stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  const asked = /reprise (session permit .* yes)$/m;
  await until(() => asked.test(said));
  const [, command = ""] = asked.exec(said) ?? [];
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 130);
  assert.match(said, /The sessions go on/);

  const again = race(scene, "ask-write a.txt x", "--name", "asking", "--json");
  const permitted = await house.cli(command.split(" "));
  assert.equal(permitted.code, 0, permitted.err);
  const { out, err } = await again;
  const { runs } = Race.parse(JSON.parse(out));
  assert.deepEqual(
    runs.map(({ status, files }) => [status, files.length]),
    [["completed", 1]],
    err,
  );
});

test("[RAC-4] of two different races with one name at once, one is refused and leaves nothing behind", async (scene) => {
  await repository(scene.workspace);
  const both = await Promise.all(
    ["2", "3"].map((n) => race(scene, "hello", "--n", n, "--name", "both")),
  );
  assert.deepEqual(new Set(both.map(({ code }) => code)), new Set([0, 4]));
  const winner = both[0]?.code === 0 ? 2 : 3;
  const ids = await named(scene, "both");
  assert.equal(ids.length, winner, both.map(({ err }) => err).join());
  for (const id of ids)
    assert.equal((await scene.client.showSession(id)).turn_count, 1);
});

test("[RAC-11] of two commands that keep different runs at once, one is refused and the other's run is kept", async (scene) => {
  await repository(scene.workspace);
  const args = ["hello", "--n", "3", "--name", "duel"];
  assert.equal((await race(scene, ...args)).code, 0);
  const both = await Promise.all(
    ["1", "2"].map((n) => race(scene, ...args, "--keep", n)),
  );
  assert.deepEqual(new Set(both.map(({ code }) => code)), new Set([0, 4]));
  const [kept, lost] = both[0]?.code === 0 ? [1, 2] : [2, 1];
  assert.match(
    both[lost - 1]?.err ?? "",
    new RegExp(
      `Run ${kept} of the race duel was kept before.* session undelete ses_`,
    ),
  );
  assert.deepEqual(await namesOf(scene, "duel"), [`duel ${kept}`]);

  const undelete = /session undelete (ses_\w+)/.exec(both[lost - 1]?.err ?? "");
  await scene.client.undeleteSession(undelete?.[1] ?? "");
  const again = await race(scene, ...args);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, new RegExp(`Run ${kept} was kept`));
  assert.equal((await named(scene, "duel")).length, 2, "it stays taken out");
});

test("[RAC-10] [RAC-11] [RAC-29] a keep that is killed on its way is carried out by the next command", async (scene) => {
  const { house, workspace } = scene;
  await repository(workspace);
  const args = ["hello", "--n", "4", "--name", "killed"];
  assert.equal((await race(scene, ...args)).code, 0);
  const child = spawn(
    join(root, "bin/reprise"),
    ["race", ...args, "--keep", "2"],
    { cwd: workspace, env: house.env(), stdio: "ignore" },
  );
  const params = { name: "race-kept.killed" };
  await until(
    async () =>
      (await scene.client.call("showAgreement", { params })).value !== null,
  );
  child.kill("SIGKILL");
  await once(child, "close");
  // The server would go on with what the command had asked for.
  await scene.server.kill();
  const { client } = await scene.up();
  const { carried_out } = await client.showRace("killed");
  const again = await race(scene, ...args);
  assert.equal(again.code, 0, again.err);
  // The command may have been killed when all of it was done.
  assert.equal(/Keeping run 2 was cut off/.test(again.err), !carried_out);
  assert.deepEqual(await namesOf(scene, "killed"), ["killed 2"]);
  assert.equal((await client.showRace("killed")).carried_out, true);
});

const race = (scene: Scene, ...args: string[]) =>
  scene.house.cli(["race", ...args], { cwd: scene.workspace });

/** The sessions of a race that are not in the trash. */
const sessionsOf = async ({ client }: Scene, name: string) =>
  (await client.listSessions()).sessions.filter(
    (each) => each.name?.startsWith(`${name} `) === true,
  );
const named = async (scene: Scene, name: string): Promise<string[]> =>
  (await sessionsOf(scene, name)).map(({ id }) => id);
const namesOf = async (scene: Scene, name: string): Promise<string[]> =>
  (await sessionsOf(scene, name)).map((each) => each.name ?? "");

const repository = async (directory: string): Promise<void> => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", directory, ...args], { stdio: "ignore" });
  git("init", "-q");
  await writeFile(join(directory, "README"), "hello\n");
  git("add", ".");
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  git(...who, "commit", "-qm", "first");
};
