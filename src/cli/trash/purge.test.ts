import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { connect } from "../../client/client.ts";
import { commands } from "../commands.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { runCli } from "../fixtures/run-cli.ts";
import { sampleTask, TASK } from "../fixtures/sample-task.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { parse } from "../parsing/parse.ts";
import { CTRL_C } from "../terminal/world.ts";

const deleted_at = "2026-03-01T12:00:00.000Z";
const OTHER = SESSION.replace(/.$/, "7");

/** Sessions and tasks in the trash; those in `refused` cannot go. */
const serverOf = (
  t: TestContext,
  refused: readonly string[] = [],
  onPurged: (id: string | undefined) => void = () => undefined,
) =>
  fakeServer(t, {
    showSession: ({ params }) => ({
      ...sampleSession({ deleted_at, name: "the door" }),
      id: params["id"],
    }),
    showTask: () => sampleTask({ deleted_at }),
    purgeSession: ({ params }) => {
      if (refused.includes(params["id"] ?? ""))
        throw refusal("wrong_state", "It is lent.");
      onPurged(params["id"]);
      return { session_id: params["id"] };
    },
    purgeTask: ({ params }) => ({ task_id: params["id"] }),
  });

/** At a terminal where this is said to the question. */
const atTerminal = async (
  t: TestContext,
  argv: readonly string[],
  said: string | typeof CTRL_C,
) => {
  const server = await serverOf(t);
  const { world, out } = memoryWorld();
  const parsed = parse(argv, commands);
  assert.ok(parsed.kind === "run");
  const questions: string[] = [];
  const code = await parsed.command.run(parsed.input, {
    ...world,
    json: false,
    client: async () => connect({ url: server.url, token: "secret" }),
    ask: async (question) => {
      questions.push(question);
      return said;
    },
  });
  return { code, out: out(), questions, purged: purgedAt(server) };
};

const purgedAt = ({
  asked,
}: Awaited<ReturnType<typeof fakeServer>>): (string | undefined)[] =>
  asked
    .filter(({ name }) => name === "purgeSession" || name === "purgeTask")
    .map(({ params }) => params["id"]);

test("[API-189] a terminal is told what goes and asked once, and only yes goes on", async (t) => {
  const argv = ["session", "purge", SESSION, OTHER, SESSION];
  const yes = await atTerminal(t, argv, "yes");
  assert.equal(yes.code, 0);
  assert.deepEqual(yes.purged, [SESSION, OTHER]);
  assert.equal(yes.questions.length, 1);
  assert.match(
    yes.questions[0] ?? "",
    /the door[^]*Remove 2 sessions for good/,
  );
  for (const said of ["y", "", "no"]) {
    const no = await atTerminal(t, argv, said);
    assert.deepEqual([no.code, no.purged], [1, []]);
    assert.equal(no.out, "Nothing was removed.\n");
  }
  const left = await atTerminal(t, argv, CTRL_C);
  assert.deepEqual([left.code, left.purged], [130, []]);
});

test("[API-189] where nobody can be asked it wants --yes", async (t) => {
  const server = await serverOf(t);
  const { url } = server;
  const refused = await runCli(t, ["session", "purge", SESSION], { url });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--yes/);
  const json = ["session", "purge", SESSION, "--json"];
  assert.equal((await runCli(t, json, { url })).code, 2);
  assert.deepEqual(purgedAt(server), []);
  const sure = await runCli(t, [...json, "--yes"], { url });
  assert.equal(sure.code, 0);
  assert.deepEqual(JSON.parse(sure.stdout), { purged: [SESSION], failed: [] });
  const task = await runCli(t, ["task", "purge", TASK, "--yes"], { url });
  assert.deepEqual(
    [task.code, task.stdout],
    [0, `${TASK} is removed for good.\n`],
  );
});

test("[API-189] one that cannot be removed does not hold up the others, and is named", async (t) => {
  const server = await serverOf(t, [SESSION]);
  const { code, stdout, stderr } = await runCli(
    t,
    ["session", "purge", SESSION, OTHER, "--yes"],
    { url: server.url },
  );
  assert.equal(code, 1);
  assert.equal(stdout, `${OTHER} is removed for good.\n`);
  assert.equal(stderr, `${SESSION} is still in the trash: It is lent.\n`);
});

test("[API-189] one that somebody else has removed meanwhile counts as removed", async (t) => {
  const server = await fakeServer(t, {
    showSession: ({ params }) => ({
      ...sampleSession({ deleted_at }),
      id: params["id"],
    }),
    purgeSession: () => {
      throw refusal("session_not_found", "There is no such session.");
    },
  });
  const { code, stdout, stderr } = await runCli(
    t,
    ["session", "purge", SESSION, "--yes"],
    { url: server.url },
  );
  assert.deepEqual(
    [code, stdout, stderr],
    [0, `${SESSION} is removed for good.\n`, ""],
  );
});

test("[API-189] one that waits for another one goes behind it", async (t) => {
  const refused = [SESSION];
  const server = await serverOf(t, refused, (id) => {
    if (id === OTHER) refused.length = 0;
  });
  const { code, stdout } = await runCli(
    t,
    ["session", "purge", SESSION, OTHER, "--yes", "--json"],
    { url: server.url },
  );
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout), {
    purged: [OTHER, SESSION],
    failed: [],
  });
});

test("[API-189] when one of them is not in the trash, nothing is removed", async (t) => {
  const server = await fakeServer(t, {
    showSession: ({ params }) => ({
      ...sampleSession({
        deleted_at: params["id"] === SESSION ? null : deleted_at,
      }),
      id: params["id"],
    }),
  });
  const { code, stderr } = await runCli(
    t,
    ["session", "purge", OTHER, SESSION, "--yes"],
    { url: server.url },
  );
  assert.equal(code, 4);
  assert.match(stderr, new RegExp(`reprise session delete ${SESSION}`));
  assert.deepEqual(purgedAt(server), []);
});

test("[API-189] the help says that several ids can be given, and one is needed", async (t) => {
  const help = await runCli(t, ["session", "purge", "--help"]);
  assert.match(help.stdout, /reprise session purge ID\.\.\. \[--yes\]/);
  const none = await runCli(t, ["task", "purge", "--yes"]);
  assert.deepEqual([none.code, none.stdout], [2, ""]);
  assert.match(none.stderr, /ID is missing/);
});
