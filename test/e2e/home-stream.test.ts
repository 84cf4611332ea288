/** One stream over all sessions, and what follows it. */
import assert from "node:assert/strict";
import { type HomeChange, Reprise } from "../../src/client/sdk/reprise.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { localReprise } from "../../src/local/local-reprise.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[API-165] [API-168] the stream tells of every session and task that changes, over a server's death", async (scene) => {
  const { workspace: cwd } = scene;
  const stop = new AbortController();
  const { signal } = stop;
  // The next server has another port: this client finds it by its home.
  const { client: following } = await localReprise({ home: scene.house.home });
  const stream = following.followHome({
    signal,
    retry: { first_ms: 10, most_ms: 100 },
  });
  const changes = stream[Symbol.asyncIterator]();
  const told: HomeChange[] = [];
  const until = async <T>(
    find: (change: HomeChange) => T | undefined,
  ): Promise<T> => {
    for (;;) {
      const { value, done } = await changes.next();
      assert.ok(done !== true);
      told.push(value);
      const found = find(value);
      if (found !== undefined) return found;
    }
  };
  const seen =
    (fits: (session: Session) => boolean) =>
    (change: HomeChange): Session | undefined =>
      change.type === "session.changed" && fits(change.session)
        ? change.session
        : undefined;
  await until(({ type }) => (type === "stream.opened" ? true : undefined));

  const one = await scene.client.createSession({ cwd, prompt: "ask may I?" });
  const asking = await until(
    seen(
      ({ id, pending_permissions: [question] }) =>
        id === one.id && question !== undefined,
    ),
  );
  const { sessions } = await scene.client.listSessions({ needs_you: true });
  assert.deepEqual(
    sessions.map(({ id }) => id),
    [one.id],
  );

  await scene.server.kill();
  await scene.up();
  const { client } = scene;
  const [question] = asking.pending_permissions;
  const [option] = question?.options ?? [];
  assert.ok(question !== undefined && option !== undefined);
  await client.answerPermission(one.id, question.id, option.id);
  const over = await until(
    seen(
      ({ id, state, turn_count }) =>
        id === one.id && state === "WAITING_FOR_INPUT" && turn_count === 1,
    ),
  );
  assert.deepEqual(over.pending_permissions, []);

  const task = await client.createTask({ title: "t", description: "d", cwd });
  await until((change) =>
    change.type === "task.changed" && change.task.id === task.id
      ? true
      : undefined,
  );
  stop.abort();
  // It was opened once, whatever became of the connection, and numbers only grow.
  assert.equal(told.filter(({ type }) => type === "stream.opened").length, 1);
  const numbers = told.map(({ seq }) => seq);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
});

test("[API-168] a cursor of a browser that comes back is taken from Last-Event-ID", async (scene) => {
  const { server, client, workspace: cwd } = scene;
  const { id } = await client.createSession({ cwd });
  const stop = new AbortController();
  const response = await fetch(
    new URL("/api/stream?after=999999", server.url),
    {
      headers: {
        authorization: `Bearer ${server.token}`,
        "last-event-id": "0",
      },
      signal: stop.signal,
    },
  );
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /event-stream/);
  const reader = response.body?.getReader();
  assert.ok(reader !== undefined);
  let text = "";
  while (!text.includes(id)) {
    const { value } = await reader.read();
    text += new TextDecoder().decode(value);
  }
  assert.match(text, /^retry: \d+\n\nid: 0\ndata: \{"seq":0,/);
  stop.abort();
  await reader.cancel().catch(() => {});
});

test("[SDK-16] questions come when they are asked, and nobody asks for them meanwhile", async (scene) => {
  const { server, workspace: cwd } = scene;
  const asked: string[] = [];
  const reprise = new Reprise({
    url: server.url,
    token: server.token,
    fetch: async (input, init) => {
      asked.push(new URL(new Request(input, init).url).pathname);
      return fetch(input, init);
    },
  });
  const stop = new AbortController();
  const questions = reprise.permissions({ signal: stop.signal });
  const first = questions.next();
  const session = await reprise.sessions.start({ cwd });
  await session.prompt("ask may I?");
  const { value } = await first;
  assert.equal(value?.session.id, session.id);
  assert.equal(asked.filter((path) => path === "/api/stream").length, 1);
  assert.equal(
    asked.filter((path) => path === "/api/sessions").length,
    2,
    "one list, one session that was started",
  );
  stop.abort();
  assert.equal((await questions.next()).done, true);
});
