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

  const other = await race(scene, "something else", ...args.slice(1));
  assert.equal(other.code, 4, other.err);
  assert.match(other.out + other.err, /choose another --name/);
  const kept = await race(scene, ...args, "--keep", "1");
  assert.equal(kept.code, 0, kept.err);
  const repeated = await race(scene, ...args, "--keep", "1");
  assert.equal(repeated.code, 0, repeated.err);
  assert.equal((await named(scene, "again")).length, 1);
});

test("[RAC-2] forks of a session, also for another agent", async (scene) => {
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
    "--json",
  );
  assert.equal(code, 0, err);
  for (const { text, error } of Race.parse(JSON.parse(out)).runs)
    assert.match(text, /colour=teal/, error?.message);
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
  assert.match(out, /^1 {2}missing {2}failed {5}–/m);
  assert.match(out, /^2 {2}demo {5}completed {2}0 .* failed \(3\) /m);
  const none = await race(scene, "hello", "--agents", "missing");
  assert.equal(none.code, 1);
  assert.match(none.err, /not installed/);
});

test("[RAC-2] without a repository it says what is missing", async (scene) => {
  const { code, err } = await race(scene, "hello");
  assert.equal(code, 2);
  assert.match(err, /not a git repository/i);
});

test("[RAC-7] [RAC-9] a question is told and its answer waited for; Ctrl-C leaves the sessions alone", async (scene) => {
  const { house, client, workspace } = scene;
  await repository(workspace);
  const child = spawn(
    join(root, "bin/reprise"),
    ["race", "ask-write a.txt x", "--name", "asking"],
    { cwd: workspace, env: house.env(), stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  await until(() => said.includes("session permit"));
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 130);
  assert.match(said, /The sessions go on/);

  const again = race(scene, "ask-write a.txt x", "--name", "asking", "--json");
  const [id] = await named(scene, "asking");
  const { pending_permissions } = await client.showSession(id ?? "");
  const [question] = pending_permissions;
  const option = question?.options.find(({ kind }) => kind === "allow_once");
  await client.answerPermission(id ?? "", question?.id ?? "", option?.id ?? "");
  const { out, err } = await again;
  const { runs } = Race.parse(JSON.parse(out));
  assert.deepEqual(
    runs.map(({ status, files }) => [status, files.length]),
    [["completed", 1]],
    err,
  );
});

const race = (scene: Scene, ...args: string[]) =>
  scene.house.cli(["race", ...args], { cwd: scene.workspace });

/** The sessions of a race that are not in the trash. */
const named = async ({ client }: Scene, name: string): Promise<string[]> =>
  (await client.listSessions()).sessions
    .filter((each) => each.name?.startsWith(`${name} `) === true)
    .map(({ id }) => id);

const repository = async (directory: string): Promise<void> => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", directory, ...args], { stdio: "ignore" });
  git("init", "-q");
  await writeFile(join(directory, "README"), "hello\n");
  git("add", ".");
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  git(...who, "commit", "-qm", "first");
};
