import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { WireEvent } from "../../src/client/event.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { type Server, spoken, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";

const test = sharedHouse();

const NUMBERS = 500;

/** A small repeatable random source: the seed is printed when a test fails. */
const randomFrom = (seed: number) => () => {
  seed = (seed * 1664525 + 1013904223) % 2 ** 32;
  return seed / 2 ** 32;
};

/** Follows over SSE, and leaves at random; comes back with the number of the last event it has. */
const overSse = async (
  { url, token }: Server,
  session: string,
  random: () => number,
) => {
  const seen: Event[] = [];
  let disconnects = 0;
  const done = (): boolean => seen.some(turnEnded(1));
  while (!done()) {
    const leave = new AbortController();
    const patience = 1 + Math.floor(random() * 3);
    const answer = await fetch(`${url}/api/sessions/${session}/stream`, {
      headers: {
        authorization: `Bearer ${token}`,
        "last-event-id": String(seen.at(-1)?.seq ?? 0),
      },
      signal: leave.signal,
    });
    assert.equal(answer.status, 200);
    assert.ok(answer.body !== null);
    let text = "";
    let got = 0;
    try {
      for await (const chunk of answer.body.pipeThrough(
        new TextDecoderStream(),
      )) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          // What came in the same breath as the cut is lost, as it would be on a wire.
          if (data === undefined || got >= patience) continue;
          const event = WireEvent.parse(JSON.parse(data));
          assert.equal(/^id: (.*)$/m.exec(block)?.[1], String(event.seq));
          seen.push(event);
          got += 1;
        }
        if (done() || got >= patience) {
          disconnects += 1;
          leave.abort();
        }
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  }
  return { seen, disconnects };
};

/** The same over a WebSocket, cut without a goodbye. */
const overWebSocket = async (
  { url, token }: Server,
  session: string,
  random: () => number,
) => {
  const seen: Event[] = [];
  let disconnects = 0;
  const done = (): boolean => seen.some(turnEnded(1));
  while (!done()) {
    const patience = 1 + Math.floor(random() * 3);
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/ws`, [
      `bearer.${token}`,
    ]);
    await once(socket, "open");
    let got = 0;
    const closed = once(socket, "close");
    socket.on("message", (data: Buffer) => {
      if (got >= patience) return;
      const frame = JSON.parse(data.toString());
      if ("id" in frame)
        return assert.ok("result" in frame, JSON.stringify(frame));
      assert.equal(frame.session_id, session);
      seen.push(frame);
      got += 1;
      if (done() || got >= patience) socket.terminate();
    });
    socket.send(
      JSON.stringify({
        id: 1,
        method: "session.subscribe",
        params: { session_id: session, after: seen.at(-1)?.seq ?? 0 },
      }),
    );
    await closed;
    disconnects += 1;
  }
  return { seen, disconnects };
};

test("[P2] SSE and WebSocket clients that are cut off at random get every event once, in order", async ({
  house,
  server,
}) => {
  const { client } = server;
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: `count ${NUMBERS} ${patience(5)}`,
  });
  const seed = Date.now() % 100_000;
  const random = randomFrom(seed);
  const [sse, socket] = await Promise.all([
    overSse(server, session.id, random),
    overWebSocket(server, session.id, random),
  ]);

  const { agent_execution_id } = await client.showSession(session.id);
  const stdout = await readFile(
    join(house.home, "agentctl/executions", agent_execution_id ?? "", "stdout"),
    "utf8",
  );
  const said = stdout
    .split("\n")
    .flatMap((line) => {
      const update = line === "" ? null : JSON.parse(line).params?.update;
      return update?.sessionUpdate === "agent_message_chunk"
        ? [update.content.text]
        : [];
    })
    .join("");
  assert.deepEqual(
    said.trim().split(/\s+/),
    Array.from({ length: NUMBERS }, (_, i) => String(i + 1)),
  );

  for (const { seen, disconnects } of [sse, socket]) {
    assert.ok(
      disconnects >= 50,
      `only ${disconnects} disconnects (seed ${seed})`,
    );
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      seen.map((_, i) => i + 1),
      `seed ${seed}`,
    );
    assert.equal(spoken(seen), said, `seed ${seed}`);
  }
});

test("[P2] every byte of the agent's output is accounted for once", async ({
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "count 50 1\nbig 300\nwrite a.txt ünïcödé 😀",
  });
  const events: Event[] = [];
  for await (const event of client.follow(session.id)) {
    events.push(event);
    if (turnEnded(1)(event)) break;
  }
  let at = 0;
  for (const { origin } of events) {
    if (origin === undefined || origin.to === at) continue;
    assert.equal(origin.from, at);
    at = origin.to;
  }
  const { agent_execution_id } = await client.showSession(session.id);
  const stdout = await readFile(
    join(house.home, "agentctl/executions", agent_execution_id ?? "", "stdout"),
  );
  assert.equal(at, stdout.length);
});

test("two sessions of one task run at the same time and each client sees only its own events", async ({
  house,
  server,
}) => {
  const { client } = server;
  const task = await client.createTask({ title: "Two at once" });
  const sessions = await Promise.all(
    ["first", "second"].map((name) =>
      client.createSession({
        cwd: house.workspace,
        task_id: task.id,
        name,
        prompt: "count 60 2",
      }),
    ),
  );
  const streams = await Promise.all(
    sessions.flatMap(({ id }) => [
      overSse(server, id, randomFrom(1)),
      overWebSocket(server, id, randomFrom(2)),
    ]),
  );
  streams.forEach(({ seen }, i) => {
    const session = sessions[Math.floor(i / 2)];
    assert.ok(
      seen.every(
        ({ session_id, task_id }) =>
          session_id === session?.id && task_id === task.id,
      ),
    );
  });
  // The task is told of its sessions after their followers.
  const shown = await eventually(
    () => client.showTask(task.id),
    ({ state }) => state === "REVIEW",
  );
  assert.deepEqual(
    new Set(shown.session_ids),
    new Set(sessions.map(({ id }) => id)),
  );
});
