import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { WebSocketServer, type WebSocket } from "ws";
import { TransferId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { MAX_STREAMS, STREAM_WINDOW } from "../../contract/link/stream.ts";
import { patience } from "../../kit/fixtures/patience.ts";
import { StreamAborted } from "../../streams/byte-stream.ts";
import { streamsOver } from "../../streams/socket.ts";
import type { StreamHandler } from "../../streams/stream-connection.ts";
import { DataLink } from "./data-link.ts";
import { transfersOver } from "./transfers.ts";

const server = createServer();
const webSockets = new WebSocketServer({ noServer: true });
let accept: (socket: WebSocket) => void;
const asked: (string | string[] | undefined)[] = [];

before(async () => {
  server.on("upgrade", (request, stream, head) => {
    asked.push(request.url, request.headers["reprise-link"]);
    webSockets.handleUpgrade(request, stream, head, (it) => accept(it));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => {
  for (const socket of webSockets.clients) socket.terminate();
  server.close();
});

/** An agentctl that serves streams like this, and the transfers of its link. */
const peer = (
  handlers: Record<string, StreamHandler>,
  hello: { data?: string } = { data: "key" },
  maxStreams = 8,
) => {
  const sockets: WebSocket[] = [];
  accept = (socket) => {
    sockets.push(socket);
    streamsOver(socket, {
      handlers: new Map(Object.entries(handlers)),
      maxStreams,
    });
  };
  const gone = Promise.withResolvers<void>();
  let isOpen = true;
  const data = new DataLink({
    link: {
      hello: { protocol: 1, build: "peer", pid: 1, ...hello },
      isOpen: () => isOpen,
      closed: gone.promise,
    },
    dial: async () => {
      const { port } = server.address() as AddressInfo;
      return { stream: connect(port, "127.0.0.1"), token: "secret" };
    },
    silenceMs: patience(5000),
  });
  const close = () => {
    isOpen = false;
    gone.resolve();
  };
  const transfers = transfersOver({ call: () => assert.fail() }, data);
  return { transfers, sockets, close };
};

const transfer = TransferId.parse(`trf_${"0".repeat(26)}`);
const bytes = randomBytes(3_000_000);

async function* inPieces(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size)
    yield bytes.subarray(at, at + size);
}

test("[LNK-74] a download that is cut goes on from its next byte over a new connection", async () => {
  const begun: number[] = [];
  const { transfers, sockets } = peer({
    download: async (stream, { from }) => {
      begun.push(from);
      await stream.push(bytes.subarray(from, from + 1_000_000));
      if (from + 1_000_000 < bytes.length) sockets.at(-1)?.terminate();
      // What was on its way may be lost with the connection.
      else await stream.push(bytes.subarray(from + 1_000_000));
    },
  });
  const got = await buffer(transfers.download(transfer));
  assert.ok(got.equals(bytes));
  assert.ok(begun.length >= 3, begun.join(" "));
  assert.equal(sockets.length, begun.length);
  assert.deepEqual(asked.slice(0, 2), ["/data", "key"]);
});

test("[LNK-74] a download of which nothing comes is given up after a few connections, and at once when the link is gone", async () => {
  const { transfers, sockets, close } = peer({
    download: async () => sockets.at(-1)?.terminate(),
  });
  const failed = () =>
    assert.rejects(
      buffer(transfers.download(transfer)),
      (error) =>
        error instanceof RepriseError && error.code === "agentctl_unavailable",
    );
  await failed();
  assert.equal(sockets.length, 4);
  close();
  await failed();
  assert.equal(sockets.length, 4);
});

test("[LNK-75] an upload resolves when the other side has all of it, in pieces of any size", async () => {
  for (const size of [700, 64 * 1024, 1_000_000]) {
    let got = Buffer.alloc(0);
    const { transfers } = peer({
      upload: async (stream) => {
        got = await buffer(stream);
      },
    });
    await transfers.upload(inPieces(size));
    assert.ok(got.equals(bytes));
  }
});

test("[LNK-76] the source of an upload is read no faster than agentctl takes it, and others pass it meanwhile", async () => {
  const slow = Promise.withResolvers<void>();
  const took = Promise.withResolvers<void>();
  let isFirst = true;
  const { transfers } = peer({
    upload: async (stream) => {
      const waits = isFirst;
      isFirst = false;
      for await (const piece of stream) {
        assert.ok(piece.length > 0);
        took.resolve();
        if (waits) await slow.promise;
      }
    },
  });
  let read = 0;
  async function* large() {
    for (let i = 0; i < 200; i++) {
      read += 100_000;
      yield bytes.subarray(0, 100_000);
    }
  }
  const uploading = transfers.upload(large());
  await took.promise;
  for (let i = 0; i < 5; i++) await transfers.upload(inPieces(100_000));
  assert.ok(read <= STREAM_WINDOW + 200_000, `${read} bytes were read`);
  slow.resolve();
  await uploading;
  assert.equal(read, 20_000_000);
});

test("[LNK-75] an upload whose source fails is taken back, and says what the source said", async () => {
  const ended = Promise.withResolvers<unknown>();
  const { transfers } = peer({
    upload: async (stream) => {
      await buffer(stream).catch(ended.resolve);
    },
  });
  const broken = new Error("the client went away");
  async function* failing() {
    yield Buffer.alloc(100_000);
    throw broken;
  }
  await assert.rejects(transfers.upload(failing()), broken);
  const error = await ended.promise;
  assert.ok(error instanceof StreamAborted && error.code === "cancelled");
});

test("[LNK-75] what agentctl refuses is refused as an order is", async () => {
  const { transfers } = peer({
    upload: async () => {
      throw new StreamAborted({ code: "storage_full", message: "no room" });
    },
  });
  await assert.rejects(transfers.upload(inPieces(10_000)), {
    name: "LinkError",
    code: "storage_full",
  });
  await assert.rejects(buffer(transfers.download(transfer)), {
    name: "LinkError",
    code: "unknown_method",
  });
});

async function* hello(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("hello");
}

for (const [who, most, accepted] of [
  ["agentctl", 8, 8],
  ["the server", MAX_STREAMS, 1000],
] as const)
  test(`[LNK-80] one transfer more than ${who} has room for may be tried again`, async () => {
    const held = Promise.withResolvers<void>();
    const allOpen = Promise.withResolvers<void>();
    let open = 0;
    const { transfers } = peer(
      {
        upload: async (stream) => {
          open += 1;
          if (open === most) allOpen.resolve();
          await held.promise;
          await buffer(stream);
        },
      },
      { data: "key" },
      accepted,
    );
    const again = (error: unknown) =>
      error instanceof RepriseError &&
      error.code === "agentctl_unavailable" &&
      error.message.includes("Try again");
    const under = Array.from({ length: most }, () => transfers.upload(hello()));
    await allOpen.promise;
    await assert.rejects(transfers.upload(hello()), again);
    await assert.rejects(buffer(transfers.download(transfer)), again);
    held.resolve();
    await Promise.all(under);
    await transfers.upload(hello());
  });

test("[LNK-69] an agentctl that gives no key has no streams", async () => {
  const { transfers, sockets } = peer({}, {});
  const refused = { name: "LinkError", code: "unknown_method" };
  await assert.rejects(transfers.upload(inPieces(1000)), refused);
  await assert.rejects(buffer(transfers.download(transfer)), refused);
  assert.deepEqual(sockets, []);
});

test("[LNK-69] streams end with their link", async () => {
  const { transfers, sockets, close } = peer({
    download: async (stream) => {
      await stream.push(bytes);
    },
  });
  const reading = transfers.download(transfer)[Symbol.asyncIterator]();
  await reading.next();
  close();
  const [socket] = sockets;
  assert.ok(socket !== undefined);
  if (socket.readyState !== socket.CLOSED) await once(socket, "close");
  await assert.rejects(async () => {
    while (!(await reading.next()).done);
  }, /connection to agentctl was lost/);
});
