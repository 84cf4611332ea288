import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_FRAME, MAX_PIECE } from "../contract/link/stream.ts";
import { decodeFrame, encodeFrame, type Frame } from "./frame.ts";

const frames: Frame[] = [
  {
    type: "open",
    stream: 1,
    from: 2 ** 40,
    kind: "download",
    params: { transfer: "x" },
  },
  { type: "data", stream: 2 ** 32 - 1, offset: 7, bytes: Buffer.from("abc") },
  { type: "data", stream: 3, offset: 0, bytes: Buffer.alloc(MAX_PIECE, 1) },
  { type: "credit", stream: 4, bytes: 1024 },
  { type: "end", stream: 5, offset: Number.MAX_SAFE_INTEGER },
  {
    type: "abort",
    stream: 6,
    reason: { code: "bad_offset", message: "no, ü" },
  },
];

test("[LNK-70] every frame comes out as it went in", () => {
  for (const frame of frames)
    assert.deepEqual(decodeFrame(encodeFrame(frame)), frame);
});

test("[LNK-70] a reason that nobody here knows is the most general one", () => {
  const bytes = encodeFrame({
    type: "abort",
    stream: 1,
    reason: { code: "internal", message: "m" },
  });
  const other = Buffer.from(
    bytes.toString("latin1").replace("internal", "unheard_"),
    "latin1",
  );
  assert.deepEqual(decodeFrame(other), {
    type: "abort",
    stream: 1,
    reason: { code: "internal", message: "m" },
  });
});

test("[LNK-73] what is no frame is none", () => {
  const head = (type: number) => [type, 0, 0, 0, 1];
  const bad = {
    empty: [],
    short: [2, 0, 0],
    "unknown type": [9, 0, 0, 0, 1],
    "data without bytes": [...head(2), 0, 0, 0, 0, 0, 0, 0, 0],
    "an offset that is no number": [
      ...head(4),
      255,
      255,
      255,
      255,
      255,
      255,
      255,
      255,
    ],
    "an end with more behind it": [...head(4), 0, 0, 0, 0, 0, 0, 0, 0, 1],
    "credit cut short": [...head(3), 0, 0],
    "an open without JSON": [...head(1), 0, 0, 0, 0, 0, 0, 0, 0, 123],
    "an abort without a message": [...head(5), ...Buffer.from(`{"code":"x"}`)],
  };
  for (const [what, bytes] of Object.entries(bad))
    assert.equal(decodeFrame(Buffer.from(bytes)), null, what);
  const large = Buffer.alloc(MAX_FRAME + 1, 1);
  large[0] = 2;
  assert.equal(decodeFrame(large), null, "too large");
  const much: Frame = {
    type: "data",
    stream: 1,
    offset: 0,
    bytes: Buffer.alloc(MAX_PIECE + 1),
  };
  assert.equal(decodeFrame(encodeFrame(much)), null, "too much data");
});
