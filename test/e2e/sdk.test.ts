import assert from "node:assert/strict";
import { Reprise } from "../../src/client/sdk/reprise.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { localReprise } from "../../src/local/local-reprise.ts";
import { seenUntil } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[SDK-8] [SDK-13] messages go on over a server's death, each once and whole", async (scene) => {
  const { house, workspace } = scene;
  const latch = house.latch();
  const reprise = await localReprise({ home: house.home });
  const session = await reprise.sessions.start({ cwd: workspace });
  const turn = await session.prompt(
    `count 3 1\nrun ${latch.wait}\ncount 4 1\nwrite a.txt b`,
  );
  const told: string[] = [];
  const telling = (async () => {
    for await (const { role, text } of turn) told.push(`${role} ${text}`);
  })();
  await seenUntil(
    reprise.client,
    session.id,
    (event) =>
      event.type === "session.message.added" &&
      event.data.message.role === "tool",
  );
  await scene.server.kill();
  latch.open();
  await scene.up();
  await telling;
  assert.equal((await turn.result()).status, "completed");
  const again: string[] = [];
  for await (const { role, text } of turn) again.push(`${role} ${text}`);
  assert.deepEqual(again, told, "afterwards it is told the same");
  const stored: string[] = [];
  for await (const { role, text } of session.messages())
    if (role !== "user" && role !== "notice") stored.push(`${role} ${text}`);
  assert.deepEqual(
    told.filter((each) => !each.startsWith("notice")),
    stored,
  );
});

test("[SDK-8] messages of other turns go by, and a continued turn is told on", async ({
  house,
  client,
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const latch = house.latch();
  const session = await reprise.sessions.start({
    cwd: workspace,
    on_interrupt: "continue",
  });
  const before = await session.prompt(`run ${latch.wait}\nrecall before`);
  const turn = await session.prompt("recall mine\ncrash");
  const told: string[] = [];
  const telling = (async () => {
    for await (const { role, text, turn: n } of turn)
      if (role === "agent") told.push(`${n} ${text.trim()}`);
  })();
  latch.open();
  await before.result();
  await telling;
  const { turn: last } = await turn.result();
  assert.equal(last, 3);
  assert.deepEqual(
    told.map((each) => Number(each[0])),
    told.length === 1 ? [3] : [2, 3],
  );
  await client.endSession(session.id);
});

test("[SDK-8] a turn that never comes ends the messages", async ({
  house,
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const session = await reprise.sessions.start({ cwd: workspace });
  await session.prompt(`run ${house.latch().wait}`);
  const turn = await session.prompt("later");
  const next = turn.messages().next();
  await turn.cancel();
  assert.equal((await next).done, true);
  assert.equal((await turn.now()).status, "cancelled");
});

test("[SDK-22] a turn that goes on by itself can be cancelled, and what is over stays as it is", async ({
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const session = await reprise.sessions.start({
    cwd: workspace,
    on_quota: "continue",
  });
  const turn = await session.prompt("quota 3600");
  const result = turn.result();
  await seenUntil(
    reprise.client,
    session.id,
    ({ type }) => type === "session.turn.interrupted",
  );
  assert.equal((await turn.now()).status, "working");
  await turn.cancel();
  assert.equal((await result).status, "cancelled");
  await turn.cancel();
  assert.equal((await turn.now()).status, "cancelled");
});

test("[SDK-9] the same key is the same turn, other text is refused", async ({
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const session = await reprise.sessions.start({ cwd: workspace });
  const turn = await session.prompt("hello", { key: "job" });
  const again = await new Reprise(server)
    .session(session.id)
    .prompt("hello", { key: "job" });
  assert.equal(again.promptId, turn.promptId);
  await assert.rejects(
    session.prompt("other", { key: "job" }),
    refused("idempotency_conflict"),
  );
  await turn.result();
  await assert.rejects(turn.continue(), refused("wrong_state"));
});

test("[SDK-10] a prompt that a pause left waiting goes on with the session", async ({
  house,
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const session = await reprise.sessions.start({ cwd: workspace });
  const latch = house.latch();
  await session.prompt(`run ${latch.wait}`);
  const waiting = await session.prompt("recall x");
  await seenUntil(
    reprise.client,
    session.id,
    ({ type }) => type === "session.prompt.delivered",
  );
  await session.pause();
  assert.equal((await waiting.result()).status, "interrupted");
  const { status, text } = await (await waiting.continue()).result();
  assert.equal(status, "completed");
  assert.match(text, /x is unknown/);
});

test("[SDK-23] a prompt that waits for a quota is tried at once when it is continued", async ({
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const session = await reprise.sessions.start({
    cwd: workspace,
    on_quota: "wait",
  });
  const cut = await session.prompt("quota 3600");
  assert.equal((await cut.result()).status, "interrupted");
  const held = await session.prompt("recall x");
  assert.equal((await held.now()).status, "working");
  const { status, text } = await (await held.continue()).result();
  assert.equal(status, "completed");
  assert.match(text, /x is unknown/);
});

test("[SDK-11] questions of all sessions come once each, and are answered by what an option means", async ({
  server,
  workspace,
}) => {
  const reprise = new Reprise(server);
  const [first, second] = await Promise.all(
    ["one", "two"].map(() => reprise.sessions.start({ cwd: workspace })),
  );
  assert.ok(first !== undefined && second !== undefined);
  const early = await first.prompt("ask early");
  assert.equal((await early.result()).status, "needs_permission");
  const stop = new AbortController();
  const asked: string[] = [];
  const turns = [early];
  for await (const question of reprise.permissions({
    signal: stop.signal,
  })) {
    asked.push(question.session.id);
    await assert.rejects(
      question.answer("allow_some"),
      refused("unknown_option"),
    );
    const { state } = await question.answer("allow_once");
    assert.equal(state, "answered");
    if (asked.length === 1) turns.push(await second.prompt("ask late"));
    else stop.abort();
  }
  assert.deepEqual(asked, [first.id, second.id]);
  for (const turn of turns)
    assert.equal((await turn.result()).status, "completed");
});

const refused = (code: string) => (error: unknown) =>
  error instanceof RepriseError && error.code === code;
