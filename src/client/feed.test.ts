import assert from "node:assert/strict";
import { once } from "node:events";
import {
  type IncomingMessage,
  type ServerResponse,
  createServer,
} from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { patience } from "../kit/fixtures/patience.ts";
import { ulid } from "../kit/data/ulid.ts";
import { RepriseError, problemOf } from "../contract/problem/problem.ts";
import { ServerUnreachable } from "./unreachable-server.ts";
import { checking } from "./reading/checking.ts";
import { type FollowOptions, follow, followTask } from "./feed.ts";

const SESSION = `ses_${ulid(Date.now())}`;
const TASK = `tsk_${ulid(Date.now())}`;
const quick: FollowOptions = { retry: { first_ms: 1, most_ms: 4 } };

test("[P2] over connections cut anywhere, every event comes once and in order", async (t) => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  const random = mulberry32(seed);
  const last = 400;
  let connections = 0;
  const url = await serve(t, (request, response) => {
    connections += 1;
    begin(response);
    const after = afterOf(request);
    const bytes = new TextEncoder().encode(
      ": hello\n\n" +
        Array.from({ length: Math.max(0, last - after) }, (_, i) =>
          frame(after + 1 + i),
        ).join(""),
    );
    const cut = Math.floor(random() * 2_000);
    response.write(bytes.subarray(0, cut), () => response.destroy());
  });

  const seen = await take(url, last, quick);
  assert.deepEqual(
    seen,
    Array.from({ length: last }, (_, i) => i + 1),
  );
  assert.ok(connections > 30, `${connections} connections`);
});

test("[P2] a gap and a duplicate are never yielded: the feed asks again from its cursor", async (t) => {
  const asked: number[] = [];
  const lies = [[1, 2, 4], [3, 3, 4], [2, 4], [4, 5, 7], [6]];
  const url = await serve(t, (request, response) => {
    asked.push(afterOf(request));
    begin(response);
    for (const seq of lies.shift() ?? []) response.write(frame(seq));
  });
  assert.deepEqual(await take(url, 6, quick), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(asked, [0, 2, 3, 3, 5]);
});

test("[REC-68] a refusal is final, trouble in the server is not, and a server that was superseded has a successor", async (t) => {
  let answers = 0;
  const passing = ["storage_unavailable", "superseded"] as const;
  const url = await serve(t, (_, response) => {
    refuse(response, passing[answers] ?? "session_not_found");
    answers += 1;
  });
  await assert.rejects(
    take(url, 1, quick),
    (error) =>
      error instanceof RepriseError && error.code === "session_not_found",
  );
  assert.equal(answers, 3);
});

test("[P2] a task is followed as a session is, on its own route", async (t) => {
  const asked: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    asked.push(request.url);
    begin(response);
    const seq = afterOf(request) + 1;
    const event = {
      seq,
      type: "task.state_changed",
      at: new Date(0).toISOString(),
      task_id: TASK,
      data: { from: "TODO", to: "IN_PROGRESS" },
    };
    response.end(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`);
  });
  const seen: number[] = [];
  for await (const { seq, task_id } of followTask(
    { url, reading: checking },
    TASK,
    quick,
  )) {
    assert.equal(task_id, TASK);
    seen.push(seq);
    if (seq === 3) break;
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.deepEqual(
    asked,
    [0, 1, 2].map((after) => `/api/tasks/${TASK}/stream?after=${after}`),
  );
});

test("a journal that is damaged ends the feed: asking again would not mend it", async (t) => {
  for (const code of ["session_damaged", "task_damaged"] as const) {
    const url = await serve(t, (_, response) => refuse(response, code));
    await assert.rejects(
      followTask({ url, reading: checking }, TASK, quick).next(),
      { code },
    );
  }
});

test("a wrong token stops the feed", async (t) => {
  const url = await serve(t, (request, response) => {
    assert.equal(request.headers.authorization, "Bearer wrong");
    refuse(response, "unauthorized");
  });
  const feed = follow(
    { url, token: "wrong", reading: checking },
    SESSION,
    quick,
  );
  await assert.rejects(feed.next(), { code: "unauthorized" });
});

test("without a server, patience ends", async (t) => {
  const url = await serve(t, (_, response) => response.destroy());
  await assert.rejects(
    take(url, 1, { ...quick, patience_ms: 20 }),
    ServerUnreachable,
  );
});

test("[API-48] a server that takes connections and never answers uses up patience too", async (t) => {
  let time = 0;
  t.mock.method(performance, "now", () => time);
  let attempts = 0;
  const fetch = (): Promise<Response> => {
    time += 45_000;
    attempts += 1;
    // Patience that never ends must not keep the test.
    return attempts > 9
      ? Promise.resolve(refused())
      : Promise.reject(new Error("silent"));
  };
  const address = { url: "http://127.0.0.1:9", fetch, reading: checking };
  const feed = follow(address, SESSION, { ...quick, patience_ms: 120_000 });
  await assert.rejects(feed.next(), ServerUnreachable);
  assert.equal(attempts, 4);
});

const refused = (): Response => {
  const problem = problemOf(new RepriseError("unauthorized", "no"));
  return Response.json(problem, { status: problem.status });
};

test("a connection on which nothing comes is given up", async (t) => {
  let connections = 0;
  const url = await serve(t, (_, response) => {
    begin(response);
    connections += 1;
    response.write(connections === 1 ? ":\n\n" : frame(1));
  });
  const silence_ms = patience(300);
  assert.deepEqual(await take(url, 1, { ...quick, silence_ms }), [1]);
  assert.equal(connections, 2);
});

test("the signal ends the feed, also between connections", async (t) => {
  const url = await serve(t, (_, response) => response.destroy());
  const stop = new AbortController();
  const feed = follow({ url, reading: checking }, SESSION, {
    signal: stop.signal,
    retry: { first_ms: 60_000, most_ms: 60_000 },
    onLost: () => setImmediate(() => stop.abort()),
  });
  assert.deepEqual(await feed.next(), { done: true, value: undefined });
});

test("whoever leaves the feed closes its connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const url = await serve(t, (_, response) => {
    begin(response);
    response.on("close", () => closed.resolve());
    response.write(frame(1));
  });
  assert.deepEqual(await take(url, 1, quick), [1]);
  await closed.promise;
});

const take = async (
  url: string,
  until: number,
  options: FollowOptions,
): Promise<number[]> => {
  const seen: number[] = [];
  for await (const event of follow(
    { url, reading: checking },
    SESSION,
    options,
  )) {
    assert.deepEqual(event.data, { text: `größer ${event.seq} 🎻` });
    seen.push(event.seq);
    if (event.seq === until) break;
  }
  return seen;
};

const serve = async (
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> => {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const afterOf = (request: IncomingMessage): number =>
  Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));

const begin = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
};

const frame = (seq: number): string =>
  `id: ${seq}\ndata: ${JSON.stringify({
    seq,
    type: "session.someday",
    at: "2026-01-01T00:00:00.000Z",
    session_id: SESSION,
    task_id: null,
    data: { text: `größer ${seq} 🎻` },
  })}\n\n`;

const refuse = (
  response: ServerResponse,
  code: ConstructorParameters<typeof RepriseError>[0],
): void => {
  const problem = problemOf(new RepriseError(code, "no"));
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
  });
  response.end(JSON.stringify(problem));
};

/** A small seeded generator: the run can be repeated with SEED. */
const mulberry32 = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
