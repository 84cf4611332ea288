import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
} from "node:net";
import { after, before, test } from "node:test";
import { WebSocketServer, type WebSocket } from "ws";
import { LinkError } from "../../contract/link/link-error.ts";
import { LinkRequest } from "../../contract/link/link.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { textOf } from "./frame.ts";
import { openLink, type Introduction, type Link } from "./link.ts";

type Answer = (request: LinkRequest, socket: WebSocket) => void;

const server = createServer();
const webSockets = new WebSocketServer({ noServer: true });
let answer: Answer;
const errors: object[] = [];
const log: Log = {
  info: () => {},
  warn: () => {},
  error: (facts) => errors.push(facts),
};

before(async () => {
  server.on("upgrade", (request, stream, head) => {
    if (request.headers.authorization !== "Bearer secret")
      return stream.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    webSockets.handleUpgrade(request, stream, head, (socket) =>
      socket.on("message", (data) =>
        answer(LinkRequest.parse(JSON.parse(textOf(data))), socket),
      ),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => {
  for (const socket of webSockets.clients) socket.terminate();
  server.close();
});

const greeting = { protocol: 1, build: "peer", pid: 42 };
const send = (socket: WebSocket, frame: unknown): void =>
  socket.send(JSON.stringify(frame));

const open = async (
  given: Answer,
  token = "secret",
  more: Partial<Introduction> = {},
): Promise<Link> => {
  answer = (request, socket) =>
    request.method === "hello"
      ? send(socket, { id: request.id, result: greeting })
      : given(request, socket);
  return opened(openLink(stream(), { ...introduction(token), ...more }));
};
const opened = async (opening: ReturnType<typeof openLink>): Promise<Link> => {
  const link = await opening;
  assert.ok(typeof link === "object");
  return link;
};
const stream = () => {
  const { port } = server.address() as AddressInfo;
  return connect(port, "127.0.0.1");
};
const introduction = (token = "secret", deadlineMs = 5000) => ({
  token,
  term: 7,
  build: "us",
  log,
  deadlineMs,
  silenceMs: 5000,
});

const report = (number: number) => ({
  report: {
    execution_id: `exe_${"0".repeat(26)}`,
    epoch: 1,
    number,
    items: [
      {
        kind: "text",
        range: { from: number, to: number + 1 },
        role: "agent",
        text: `${number}`,
      },
    ],
  },
});

test("introduces itself with protocol, build and term", async () => {
  const hello = new Promise<LinkRequest>((resolve) => {
    answer = (request, socket) => {
      resolve(request);
      send(socket, { id: request.id, result: greeting });
    };
  });
  const link = await opened(openLink(stream(), introduction()));
  assert.deepEqual((await hello).params, {
    protocol: { min: 1, max: 1 },
    build: "us",
    term: 7,
  });
  assert.deepEqual(link.hello, greeting);
  await link.close();
});

test("pairs answers with calls, in whatever order they come", async () => {
  const waiting: LinkRequest[] = [];
  const link = await open((request, socket) => {
    waiting.push(request);
    if (waiting.length < 2) return;
    for (const { id, params } of waiting.toReversed()) {
      const { path } = params as { path: string };
      send(socket, {
        id,
        result: { kind: path === "/a" ? "directory" : "missing" },
      });
    }
  });
  assert.deepEqual(
    await Promise.all([
      link.call("workspace", { path: "/a" }),
      link.call("workspace", { path: "/b" }),
    ]),
    [{ kind: "directory" }, { kind: "missing" }],
  );
  await link.close();
});

test("a refusal is a LinkError with its code", async () => {
  const link = await open(({ id }, socket) =>
    send(socket, { id, error: { code: "epoch_superseded", message: "old" } }),
  );
  await assert.rejects(
    link.call("executions", {}),
    (error) =>
      error instanceof LinkError &&
      error.code === "epoch_superseded" &&
      error.message === "old",
  );
  await link.close();
});

test("a refused hello is a LinkError too", async () => {
  answer = ({ id }, socket) =>
    send(socket, { id, error: { code: "term_superseded", message: "8" } });
  await assert.rejects(
    openLink(stream(), introduction()),
    (error) => error instanceof LinkError && error.code === "term_superseded",
  );
});

test("an answer of an unknown shape rejects its call and nothing else", async () => {
  const link = await open(({ id, method }, socket) =>
    send(socket, {
      id,
      result: method === "executions" ? { executions: 3 } : { kind: "other" },
    }),
  );
  await assert.rejects(link.call("executions", {}), hasCode("internal"));
  assert.deepEqual(await link.call("workspace", { path: "/" }), {
    kind: "other",
  });
  await link.close();
});

test("a lost connection rejects what is pending and what comes after, and resolves closed", async () => {
  const link = await open((_request, socket) => socket.terminate());
  const calls = [link.call("executions", {}), link.call("executions", {})];
  for (const call of calls)
    await assert.rejects(call, hasCode("agentctl_unavailable"));
  await link.closed;
  await assert.rejects(
    link.call("executions", {}),
    hasCode("agentctl_unavailable"),
  );
});

test("[LNK-38] an order that is not answered in time is told so, and the link stays; a late answer is nobody's", async () => {
  const late: (() => void)[] = [];
  const link = await open(
    ({ id, method }, socket) => {
      const reply = () => send(socket, { id, result: { kind: "other" } });
      if (method === "executions") late.push(reply);
      else reply();
    },
    "secret",
    { orderDeadlines: { executions: 20 } },
  );
  await assert.rejects(
    link.call("executions", {}),
    (error) =>
      hasCode("timed_out")(error) &&
      error instanceof Error &&
      /not answered `executions`/.test(error.message),
  );
  for (const reply of late) reply();
  assert.deepEqual(await link.call("workspace", { path: "/" }), {
    kind: "other",
  });
  await link.close();
});

test("[P2] reports reach the listener in order, those that came before it too", async () => {
  const link = await open(({ id }, socket) => {
    for (let n = 1; n <= 3; n++) send(socket, report(n));
    send(socket, { id, result: { kind: "other" } });
    for (let n = 4; n <= 50; n++) send(socket, report(n));
  });
  await link.call("workspace", { path: "/" });
  const numbers: number[] = [];
  await new Promise<void>((resolve) =>
    link.onReport(({ number }) => {
      numbers.push(number);
      if (number === 50) resolve();
    }),
  );
  assert.deepEqual(
    numbers,
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
  await link.close();
});

test("a listener that throws is logged and does not end the link", async () => {
  const link = await open(({ id }, socket) => {
    send(socket, report(1));
    send(socket, { id, result: { kind: "other" } });
  });
  link.onReport(() => {
    throw new Error("not today");
  });
  const before = errors.length;
  await link.call("workspace", { path: "/" });
  assert.equal(errors.length, before + 1);
  await link.close();
});

test("a frame that cannot be read ends the link instead of being skipped", async () => {
  for (const frame of [
    "no json",
    '{"report":{"items":3}}',
    `{"report":{"execution_id":"exe_${"0".repeat(26)}","epoch":1,"number":1,"items":[{"kind":"ended","range":null}]}}`,
    '{"id":null,"error":{"code":"internal","message":""}}',
  ]) {
    const link = await open((_request, socket) => socket.send(frame));
    await assert.rejects(
      link.call("executions", {}),
      hasCode("agentctl_unavailable"),
    );
    await link.closed;
  }
});

test("a wrong token is explained", async () => {
  await assert.rejects(
    open(() => {}, "wrong"),
    (error) =>
      hasCode("agentctl_unavailable")(error) &&
      error instanceof Error &&
      /token/.test(error.message),
  );
});

test("[REC-12] a peer that answers pings and no hello is busy: it is given up after the deadline, and not taken for frozen", async () => {
  answer = () => {};
  await assert.rejects(
    openLink(stream(), { ...introduction("secret", 300), silenceMs: 50 }),
    hasCode("agentctl_unavailable"),
  );
});

test("[REC-12] a peer that accepts connections and gives no sign of life is silent", async (t) => {
  const frozen = createTcpServer().listen(0, "127.0.0.1");
  t.after(() => frozen.close());
  await once(frozen, "listening");
  const { port } = frozen.address() as AddressInfo;
  const connection = connect(port, "127.0.0.1");
  assert.equal(
    await openLink(connection, { ...introduction(), silenceMs: 50 }),
    "silent",
  );
});

test("a peer that goes before it says hello is lost", async () => {
  answer = (_request, socket) => socket.terminate();
  assert.equal(await openLink(stream(), introduction()), "lost");
  const connection = stream();
  connection.once("connect", () => connection.destroy());
  assert.equal(await openLink(connection, introduction()), "lost");
});

test("[LNK-33] [P2] words of an unknown kind are kept with their bytes, facts of an unknown kind are passed over", async () => {
  const range = { from: 0, to: 5 };
  const dream = { kind: "dream", range, colour: "blue" };
  const mood = { kind: "mood", range: null, mood: "good" };
  const odd = { kind: "text", range: { from: 5, to: 9 }, role: "choir" };
  const failed = {
    kind: "start_failed",
    range: null,
    failure: "bad_weather",
    message: "It rains.",
  };
  const link = await open(({ id }, socket) => {
    const { report: first } = report(1);
    const items = [dream, mood, odd, failed];
    send(socket, { report: { ...first, items } });
    send(socket, {
      id,
      error: { code: "bad_weather", message: "not today" },
    });
  });
  const heard = new Promise((resolve) => link.onReport(resolve));
  await assert.rejects(
    link.call("executions", {}),
    (error) => error instanceof LinkError && error.code === "internal",
  );
  assert.deepEqual(await heard, {
    ...report(1).report,
    items: [
      { kind: "unknown", range, update: dream },
      { kind: "unknown", range: odd.range, update: odd },
      { ...failed, failure: "agent_error" },
    ],
  });
  await link.close();
});

const hasCode = (code: string) => (error: unknown) =>
  error instanceof RepriseError && error.code === code;
