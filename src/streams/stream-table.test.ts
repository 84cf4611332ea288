import assert from "node:assert/strict";
import { test } from "node:test";
import type { AbortCode } from "../contract/link/stream.ts";
import type { Frame } from "./frame.ts";
import { StreamTable, type Step } from "./stream-table.ts";

const acceptor = (maxStreams = 4) =>
  new StreamTable({ kinds: new Set(["known"]), maxStreams });

const open = (stream: number, more: Partial<Frame> = {}): Frame =>
  ({
    type: "open",
    stream,
    from: 0,
    kind: "known",
    params: {},
    ...more,
  }) as Frame;

const data = (stream: number, offset: number, length: number): Frame => ({
  type: "data",
  stream,
  offset,
  bytes: Buffer.alloc(length),
});

const refusedWith = ({ reply }: Step, code: AbortCode): void => {
  assert.equal(reply?.type, "abort");
  assert.equal(reply.reason.code, code);
};

const isBroken = ({ happening }: Step): boolean => happening?.type === "broken";

test("[LNK-70] numbers ascend, and only the server opens", () => {
  const table = acceptor();
  assert.equal(table.take(open(3)).happening?.type, "opened");
  assert.ok(isBroken(acceptor().take(data(1, 0, 1))), "it was never opened");
  assert.ok(isBroken(table.take(open(3))), "the number is used");
  assert.ok(isBroken(table.take(open(2))), "a lower one too");
  const opener = new StreamTable({ kinds: null, maxStreams: 4 });
  assert.ok(isBroken(opener.take(open(1))));
});

test("[LNK-70] each half ends by itself, and the stream is gone with the second", () => {
  const table = acceptor(1);
  table.take(open(1));
  assert.deepEqual(
    table.take({ type: "end", stream: 1, offset: 0 }).happening,
    { type: "ended", stream: 1 },
  );
  table.take({ type: "credit", stream: 1, bytes: 10 });
  assert.equal(table.data(1, Buffer.alloc(3))?.type, "data");
  refusedWith(table.take(open(2)), "too_many_streams");
  assert.deepEqual(table.end(1), { type: "end", stream: 1, offset: 3 });
  assert.equal(table.has(1), false);
  assert.deepEqual(table.take(data(1, 0, 1)), {}, "it was on its way");
  assert.equal(table.take(open(3)).happening?.type, "opened");
});

test("[LNK-71] nothing is sent beyond the credit, nor after the end", () => {
  const table = acceptor();
  table.take(open(1));
  assert.equal(table.room(1), 0);
  assert.equal(table.data(1, Buffer.alloc(1)), null);
  table.take({ type: "credit", stream: 1, bytes: 5 });
  assert.equal(table.room(1), 5);
  assert.equal(table.data(1, Buffer.alloc(6)), null);
  assert.equal(table.data(1, Buffer.alloc(5))?.type, "data");
  assert.equal(table.room(1), 0);
  table.end(1);
  table.take({ type: "credit", stream: 1, bytes: 5 });
  assert.equal(table.data(1, Buffer.alloc(1)), null);
});

test("[LNK-72] an offset that does not follow, and an end that comes too early, abort that stream alone", () => {
  for (const bad of [
    data(1, 3, 1),
    data(1, 5, 1),
    { type: "end", stream: 1, offset: 5 } as const,
  ]) {
    const table = acceptor();
    table.take(open(1));
    table.take(open(2));
    table.grant(1, 100);
    table.take(data(1, 0, 4));
    const step = table.take(bad);
    refusedWith(step, "bad_offset");
    assert.equal(step.happening?.type, "aborted");
    assert.deepEqual([table.has(1), table.has(2)], [false, true]);
  }
  const table = acceptor();
  table.take(open(1));
  table.grant(1, 100);
  table.take({ type: "end", stream: 1, offset: 0 });
  refusedWith(table.take(data(1, 0, 1)), "bad_offset");
});

test("[LNK-72] data beyond the credit, and credit beyond reason, abort the stream", () => {
  const table = acceptor();
  table.take(open(1));
  table.grant(1, 4);
  assert.equal(table.take(data(1, 0, 4)).happening?.type, "data");
  refusedWith(table.take(data(1, 4, 1)), "credit_exceeded");
  table.take(open(2));
  const credit = { type: "credit", stream: 2, bytes: 2 ** 32 - 1 } as const;
  refusedWith(table.take(credit), "credit_exceeded");
});

test("[LNK-72] an unknown kind and one stream too many are refused, and the number counts as used", () => {
  const table = acceptor(2);
  refusedWith(table.take(open(1, { kind: "other" })), "unknown_kind");
  table.take(open(2));
  table.take(open(3));
  refusedWith(table.take(open(4)), "too_many_streams");
  assert.ok(isBroken(table.take(open(4))));
  const opener = new StreamTable({ kinds: null, maxStreams: 1 });
  assert.notEqual(opener.open("known", {}, 0), null);
  assert.equal(opener.open("known", {}, 0), null);
});

test("[LNK-74] a stream may begin where an earlier one stopped", () => {
  const opener = new StreamTable({ kinds: null, maxStreams: 1 });
  const frame = opener.open("known", {}, 10);
  assert.ok(frame !== null);
  const table = acceptor();
  table.take(frame);
  table.take({ type: "credit", stream: 1, bytes: 5 });
  opener.grant(1, 5);
  const sent = table.data(1, Buffer.alloc(5));
  assert.ok(sent?.type === "data");
  assert.equal(sent.offset, 10);
  assert.equal(opener.take(sent).happening?.type, "data");
});
