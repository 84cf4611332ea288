import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { WebSocket } from "ws";
import { all, counted, counting } from "./counting.ts";
import {
  type Server,
  allOf,
  changedTo,
  isResumed,
  say,
  seenUntil,
} from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

const test = sharedHouse();

test("a second server on the same home says which process holds it", async ({
  house,
  server,
}) => {
  const second = await house.cli(["up", "--port", "0"]);
  assert.equal(second.code, 4);
  assert.match(second.err, new RegExp(`held by process ${server.process.pid}`));
  assert.ok(second.err.includes(server.url));
  assert.equal((await server.client.health()).status, "ok");
});

test("Ctrl-C leaves agents running and says so; the next server finds them again, in the middle of a turn", async (scene) => {
  const { house, server } = scene;
  const { id, seen, latch } = await counting(house, server.client);
  const { agent_execution_id } = await server.client.showSession(id);
  const words = await server.stop();
  latch.open();
  assert.match(
    words,
    /1 agent goes on running; `\S*reprise up` finds it again/,
  );

  const again = await scene.up();
  const rest = await seenUntil(
    again.client,
    id,
    allOf(isResumed, changedTo("WAITING_FOR_INPUT")),
    seen.at(-1)?.seq,
  );
  assert.deepEqual(await counted(again.client, id), all);
  await eventually(
    async () => again.printed(),
    (words) => words.includes("1 agent found running"),
  );
  const resumed = rest.find(isResumed);
  assert.equal(
    resumed?.type === "session.resumed" && resumed.data.resume.grade,
    "reattached",
  );
  assert.equal(
    (await again.client.showSession(id)).agent_execution_id,
    agent_execution_id,
  );
  assert.match(await say(again.client, id, "hello"), /You said: hello/);
});

test("an end ends everything, and the session can be read but not resumed", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "remember a=b",
  });
  await say(client, session.id, "hello");
  const ended = await client.endSession(session.id);
  assert.equal(ended.status, "ended");
  await assert.rejects(client.resumeSession(session.id), {
    code: "session_ended",
  });
  await assert.rejects(client.queuePrompt(session.id, { text: "x" }), {
    code: "session_ended",
  });
  await seenUntil(
    client,
    session.id,
    ({ type }) => type === "session.execution.ended",
  );
  assert.equal((await client.listMessages(session.id)).messages.length, 4);
});

/** A request with headers that fetch would not let us set. */
const status = (
  server: Server,
  path: string,
  headers: Record<string, string>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const asked = request({ hostname, port, path, headers }, (answer) => {
      answer.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });

const socketStatus = (
  server: Server,
  headers: Record<string, string>,
): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/ws`, {
      headers,
    });
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_, answer) =>
      resolve(answer.statusCode ?? 0),
    );
    socket.on("error", () => undefined);
  });

test("a foreign origin, a foreign Host and a missing or wrong token are refused on REST, SSE and WebSocket", async ({
  house,
  server,
}) => {
  const session = await server.client.createSession({ cwd: house.workspace });
  const good = { authorization: `Bearer ${server.token}` };
  const refused: [Record<string, string>, number][] = [
    [{}, 401],
    [{ authorization: "Bearer wrong" }, 401],
    [{ ...good, origin: "https://evil.example" }, 403],
    [{ ...good, host: "evil.example" }, 403],
  ];
  const doors = [
    (headers: Record<string, string>) =>
      status(server, "/api/sessions", headers),
    (headers: Record<string, string>) =>
      status(server, `/api/sessions/${session.id}/stream`, headers),
    (headers: Record<string, string>) => socketStatus(server, headers),
  ];
  for (const door of doors) {
    for (const [headers, code] of refused)
      assert.equal(await door(headers), code, JSON.stringify(headers));
    assert.ok([200, 101].includes(await door(good)));
  }
});

test("what is secret is 0600, and neither token nor session variables are in any log or event", async ({
  house,
  server,
}) => {
  const secret = "s3cr3t-value-of-a-variable";
  const session = await server.client.createSession({
    cwd: house.workspace,
    env: { API_KEY: secret },
    prompt:
      'run test -n "$API_KEY" && test -z "$NODE_COMPILE_CACHE$REPRISE_PROGRAM" && echo it is set, and nothing of ours',
  });
  const seen = await seenUntil(
    server.client,
    session.id,
    ({ type }) => type === "session.turn.ended",
  );
  assert.ok(JSON.stringify(seen).includes("it is set, and nothing of ours"));
  for (const name of [
    "token",
    "reprise.db",
    "server.log",
    "server.json",
    "agentctl/token",
    "agentctl/agentctl.log",
    "agentctl/lock.db",
    "server.lock",
  ])
    assert.equal((await stat(join(house.home, name))).mode & 0o077, 0, name);
  const { agent_execution_id } = await server.client.showSession(session.id);
  const logs = [
    "server.log",
    "agentctl/agentctl.log",
    `agentctl/executions/${agent_execution_id}/journal`,
  ];
  // The files of a session follow what happens in it.
  const sessionLog = await eventually(
    () =>
      readFile(
        join(house.home, "sessions", session.id, "session.log"),
        "utf8",
      ).catch(() => ""),
    (text) => text.includes("TURN COMPLETED"),
  );
  for (const text of [
    JSON.stringify(seen),
    sessionLog,
    ...(await Promise.all(
      logs.map((name) => readFile(join(house.home, name), "utf8")),
    )),
  ]) {
    assert.ok(!text.includes(secret));
    assert.ok(!text.includes(server.token));
  }
});
