import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[P1] fifty concurrent requests with one key, and again after a restart, execute one prompt", async (scene) => {
  const { house, server } = scene;
  const ledger = join(house.directory, "ledger");
  const session = await server.client.createSession({
    cwd: house.workspace,
    env: { DEMO_LEDGER: ledger },
  });
  const ask = (client = server.client) =>
    client.queuePrompt(session.id, { text: "only once" }, { key: "the-key" });
  const first = await Promise.all(Array.from({ length: 50 }, () => ask()));
  await seenUntil(server.client, session.id, turnEnded(1));
  await server.kill();

  const again = await scene.up();
  const second = await Promise.all(
    Array.from({ length: 50 }, () => ask(again.client)),
  );
  assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 1);
  await assert.rejects(
    again.client.queuePrompt(
      session.id,
      { text: "something else" },
      { key: "the-key" },
    ),
    (error) =>
      error instanceof RepriseError && error.code === "idempotency_conflict",
  );
  const lines = (await readFile(ledger, "utf8")).trim().split("\n");
  assert.equal(lines.length, 1);
});

test("[P1] a prompt of 5 MB arrives whole", async ({ house, client }) => {
  const session = await client.createSession({ cwd: house.workspace });
  const { last_seq } = await client.showSession(session.id);
  const text = `${"ä".repeat(2_500_000)} the end`;
  await client.queuePrompt(session.id, { text });
  const seen = await seenUntil(client, session.id, turnEnded(1), last_seq);
  const answer = seen
    .map((event) =>
      event.type === "session.message.added" &&
      event.data.message.role === "agent"
        ? event.data.message.text
        : "",
    )
    .join("");
  assert.ok(answer.includes(text));
});

test("prompts wait for each other and can be cancelled while they wait", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: `run ${house.latch().wait}`,
  });
  await seenUntil(
    client,
    session.id,
    (event) => event.type === "session.prompt.delivered",
  );
  const waiting = await client.queuePrompt(session.id, { text: "never mind" });
  assert.equal(waiting.state, "queued");
  assert.equal(
    (await client.cancelPrompt(session.id, waiting.id)).state,
    "cancelled",
  );
  const next = await client.queuePrompt(session.id, { text: "hello" });
  await client.cancelTurn(session.id);
  const seen = await seenUntil(client, session.id, turnEnded(2));
  const first = seen.find(turnEnded(1));
  assert.equal(
    first?.type === "session.turn.ended" && first.data.outcome,
    "cancelled",
  );
  assert.equal((await client.showPrompt(session.id, next.id)).state, "done");
});

test("[P5] a permission is asked, answered, and what was chosen reaches the agent", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "ask-write a.txt hello",
  });
  await seenUntil(
    client,
    session.id,
    (event) => event.type === "session.permission.requested",
  );
  const permission = (await client.showSession(session.id))
    .pending_permissions[0];
  assert.ok(permission !== undefined);
  const allow = permission.options.find(({ kind }) => kind === "allow_once");
  await assert.rejects(
    client.answerPermission(session.id, permission.id, "no-such-option"),
    { code: "unknown_option" },
  );
  await assert.rejects(
    client.answerPermission(session.id, "per_9_9", allow?.id ?? ""),
    { code: "permission_not_found" },
  );
  const answered = await client.answerPermission(
    session.id,
    permission.id,
    allow?.id ?? "",
  );
  assert.equal(answered.state, "answered");
  await seenUntil(client, session.id, turnEnded(1));
  assert.equal(await readFile(join(house.workspace, "a.txt"), "utf8"), "hello");
  // The same answer again is no error; another one is.
  await client.answerPermission(session.id, permission.id, allow?.id ?? "");
  await assert.rejects(
    client.answerPermission(session.id, permission.id, "reject_once"),
    { code: "permission_closed" },
  );
});

test("[SES-59] [API-126] [API-127] what would be written is shown before it is allowed in a word", async ({
  house,
  client,
}) => {
  const { id } = await client.createSession({
    cwd: house.workspace,
    prompt: "write notes.txt one\nask-write notes.txt two",
  });
  const seen = await seenUntil(
    client,
    id,
    (event) => event.type === "session.permission.requested",
  );
  const path = join(house.workspace, "notes.txt");
  const asked = seen.find(
    (event) => event.type === "session.permission.requested",
  );
  assert.ok(asked?.type === "session.permission.requested");
  const { tool } = asked.data.permission;
  assert.deepEqual(tool?.paths, [path]);
  assert.match(tool.diff ?? "", /\n-one\n[^]*\n\+two\n/);
  const shown = await house.cli(["session", "show", id]);
  assert.match(shown.out, /changes +│ --- .*notes\.txt\n[^]*│ \+two\n/);
  const answered = await house.cli(["session", "permit", id, "yes"]);
  assert.match(answered.out, /\(Write notes\.txt\): Allow\.\n$/);
  await seenUntil(client, id, turnEnded(1));
  assert.equal(await readFile(path, "utf8"), "two");
});
