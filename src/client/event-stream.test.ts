import assert from "node:assert/strict";
import { test } from "node:test";
import { EventStreamReader } from "./event-stream.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const stream =
  ': hello\nretry: 1000\n\nid: 1\ndata: {"text":"größer – 日本 🎻"}\n\n' +
  "id: 2\r\ndata: a\r\ndata: b\r\n\r\n:\r\rid: 3\rdata\r\r";
const expected = [
  { id: "1", data: '{"text":"größer – 日本 🎻"}' },
  { id: "2", data: "a\nb" },
  { id: "3", data: "" },
];

test("a stream gives the same messages wherever it is cut", () => {
  const all = bytes(stream);
  for (let size = 1; size <= all.length; size++) {
    const reader = new EventStreamReader();
    const messages = [];
    for (let from = 0; from < all.length; from += size)
      messages.push(...reader.push(all.subarray(from, from + size)));
    assert.deepEqual(messages, expected, `cut every ${size} bytes`);
  }
});

test("a message that did not end is not given", () => {
  const reader = new EventStreamReader();
  assert.deepEqual(reader.push(bytes("id: 1\ndata: half")), []);
  assert.deepEqual(reader.push(bytes("\n")), []);
  assert.deepEqual(reader.push(bytes("\n")), [{ id: "1", data: "half" }]);
});

test("heartbeats and unknown fields give nothing", () => {
  const reader = new EventStreamReader();
  assert.deepEqual(reader.push(bytes(":\n\n: x\n\nevent: y\nwhat\n\n")), []);
});
