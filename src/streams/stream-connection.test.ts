import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { STREAM_WINDOW } from "../contract/link/stream.ts";
import { StreamAborted, type ByteStream } from "./byte-stream.ts";
import { encodeFrame, type Frame } from "./frame.ts";
import { StreamConnection, type StreamHandler } from "./stream-connection.ts";

/** Two ends, joined by a wire that carries each message in a turn of its own. */
const joined = (handlers: Record<string, StreamHandler>, maxStreams = 8) => {
  const closed: string[] = [];
  let carried = 0;
  const wireTo = (other: () => StreamConnection) => ({
    transmit: async (message: Uint8Array) => {
      carried += message.length;
      await turn();
      other().take(Buffer.from(message));
    },
    close: (reason: string) => {
      closed.push(reason);
      other().lost();
    },
  });
  const server: StreamConnection = new StreamConnection(
    wireTo(() => agentctl),
    { handlers: null, maxStreams },
  );
  const agentctl: StreamConnection = new StreamConnection(
    wireTo(() => server),
    { handlers: new Map(Object.entries(handlers)), maxStreams },
  );
  return { server, agentctl, closed, carried: () => carried };
};

const all = async (stream: ByteStream): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
};

const echo: StreamHandler = async (stream) => {
  for await (const piece of stream) await stream.push(piece);
};

/** Sends for ever. */
const flood: StreamHandler = async (stream) => {
  for (;;) await stream.push(Buffer.alloc(100_000));
};

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await turn();
};

test("[LNK-70] what is sent comes back whole, in pieces of any size, on streams side by side", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 8 }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      async (streams) => {
        const { server } = joined({ echo });
        const checks = streams.map(async (sizes, number) => {
          const stream = server.open("echo", {});
          const answer = all(stream);
          const sent = sizes.map((size) => Buffer.alloc(size, number + 1));
          for (const piece of sent) await stream.push(piece);
          await stream.finish();
          assert.ok((await answer).equals(Buffer.concat(sent)));
        });
        await Promise.all(checks);
      },
    ),
    { numRuns: 15 },
  );
});

test("[LNK-71] who is not read sends one window and waits, and other streams go on meanwhile", async () => {
  const { server, carried } = joined({ flood, echo });
  const slow = server.open("flood", {});
  const reading = slow[Symbol.asyncIterator]();
  await reading.next();
  await turns(200);
  const before = carried();
  assert.ok(before > STREAM_WINDOW && before < STREAM_WINDOW * 1.1);
  await turns(200);
  assert.equal(carried(), before, "it waits");

  const other = server.open("echo", {});
  const answer = all(other);
  const bytes = Buffer.alloc(3 * STREAM_WINDOW, 7);
  await other.push(bytes);
  await other.finish();
  assert.ok((await answer).equals(bytes));

  // Who takes what waited gets more.
  for (let taken = 0; taken < 2 * STREAM_WINDOW;)
    taken += (await reading.next()).value?.length ?? 0;
  await reading.return(undefined);
});

test("[LNK-71] many small pieces wait as few large ones", async () => {
  const { server } = joined({
    drip: async (stream) => {
      for (let i = 0; i < 5000; i++) await stream.push(Buffer.of(i % 256));
    },
  });
  const stream = server.open("drip", {});
  const reading = stream[Symbol.asyncIterator]();
  const first = await reading.next();
  await turns(12_000);
  let count = 0;
  let length = first.value?.length ?? 0;
  for (
    let next = await reading.next();
    !next.done;
    next = await reading.next()
  ) {
    count += 1;
    length += next.value.length;
  }
  assert.equal(length, 5000);
  assert.ok(count < 10, `${count} pieces`);
});

test("[LNK-72] a stream that is refused or given up ends on both sides, and the others stay", async () => {
  let told: unknown = null;
  const { server, closed } = joined({
    echo,
    flood: (stream, opened) =>
      flood(stream, opened).catch((error: unknown) => {
        told = error;
      }),
    refuses: async () => {
      throw new StreamAborted({ code: "storage_full", message: "no room" });
    },
    fails: async () => {
      throw new Error("oh");
    },
  });
  const code = (expected: string) => ({ code: expected });
  await assert.rejects(all(server.open("refuses", {})), code("storage_full"));
  await assert.rejects(all(server.open("fails", {})), code("internal"));
  await assert.rejects(all(server.open("what", {})), code("unknown_kind"));
  for await (const piece of server.open("flood", {}))
    if (piece.length > 0) break;
  await turns(10);
  assert.ok(told instanceof StreamAborted && told.code === "cancelled");
  const stream = server.open("echo", {});
  await stream.finish();
  assert.equal((await all(stream)).length, 0);
  assert.deepEqual(closed, []);
});

test("[LNK-72] who reads or sends on a stream is told when the other side breaks its rules", async () => {
  const told = new Map<string, unknown>();
  const noted =
    (name: string, work: StreamHandler): StreamHandler =>
    (stream, opened) =>
      work(stream, opened).catch((error: unknown) => {
        told.set(name, error instanceof StreamAborted && error.code);
      });
  const reads: StreamHandler = async (stream) => void (await all(stream));
  const { server, agentctl } = joined({
    data: noted("data", reads),
    end: noted("end", reads),
    credit: noted("credit", flood),
    flooded: noted("flooded", reads),
  });
  const open = (kind: string): number => server.open(kind, {}).id;
  const [data, end, credit, flooded] = [
    open("data"),
    open("end"),
    open("credit"),
    open("flooded"),
  ];
  await turns(10);
  const take = (frame: Frame) => agentctl.take(encodeFrame(frame));
  const bytes = Buffer.alloc(60_000);
  take({ type: "data", stream: data, offset: 5, bytes });
  take({ type: "end", stream: end, offset: 5 });
  take({ type: "credit", stream: credit, bytes: 2 ** 32 - 1 });
  for (let offset = 0; offset <= STREAM_WINDOW; offset += bytes.length)
    take({ type: "data", stream: flooded, offset, bytes });
  await turns(10);
  assert.deepEqual(Object.fromEntries(told), {
    data: "bad_offset",
    end: "bad_offset",
    credit: "credit_exceeded",
    flooded: "credit_exceeded",
  });
});

test("[LNK-72] streams that have ended make room for others", async () => {
  const { server } = joined({ echo }, 2);
  const held = [server.open("echo", {}), server.open("echo", {})];
  assert.throws(() => server.open("echo", {}), { code: "too_many_streams" });
  for (const stream of held) {
    await stream.finish();
    await all(stream);
  }
  for (let i = 0; i < 20; i++) {
    const stream = server.open("echo", {});
    await stream.finish();
    await all(stream);
  }
});

test("[LNK-73] what cannot be read breaks the connection", () => {
  for (const message of [
    Buffer.from("what is this"),
    encodeFrame({ type: "end", stream: 9, offset: 0 }),
  ]) {
    const { agentctl, closed } = joined({ echo });
    agentctl.take(message);
    assert.equal(closed.length, 1);
    assert.equal(agentctl.isOpen(), false);
  }
});

test("[LNK-73] who reads no answers is cut off before they fill the memory", async () => {
  const closed: string[] = [];
  const agentctl = new StreamConnection(
    {
      transmit: () => new Promise(() => undefined),
      close: (reason) => closed.push(reason),
    },
    { handlers: new Map(), maxStreams: 1 },
  );
  for (let stream = 1; stream <= 2000; stream++)
    agentctl.take(
      encodeFrame({ type: "open", stream, from: 0, kind: "x", params: {} }),
    );
  assert.deepEqual(closed, ["nothing is read"]);
});

test("[LNK-74] all streams end with their connection, whoever reads, sends or waits", async () => {
  const ends: Promise<unknown>[] = [];
  const watched =
    (handler: StreamHandler): StreamHandler =>
    async (stream, opened) => {
      const work = handler(stream, opened);
      ends.push(work.catch((error: unknown) => error));
      await work;
    };
  const { server, agentctl } = joined({
    echo: watched(echo),
    flood: watched(flood),
  });
  const reading = all(server.open("echo", {}));
  const stuck = server.open("flood", {})[Symbol.asyncIterator]();
  await stuck.next();
  await turns(100);
  const writing = server.open("echo", {}).push(Buffer.alloc(9 * STREAM_WINDOW));
  await turns(100);
  agentctl.close("over");
  const lost = { code: "connection_lost" };
  await assert.rejects(reading, lost);
  await assert.rejects(writing, lost);
  await assert.rejects(stuck.next(), lost);
  for (const end of await Promise.all(ends))
    assert.ok(end instanceof StreamAborted && end.code === "connection_lost");
  assert.throws(() => server.open("echo", {}), lost);
});
