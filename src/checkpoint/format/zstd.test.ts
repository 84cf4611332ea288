import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Room, zstdOfLibrary, zstdOfNode } from "./zstd.ts";

const library = zstdOfLibrary() ?? assert.fail("the library cannot be called");
const ways = { library, node: zstdOfNode };
const contents = [
  Buffer.alloc(0),
  Buffer.from("x"),
  Buffer.alloc(2_000_000, "again "),
  randomBytes(1_100_000),
];

for (const [name, safePath] of Object.entries(ways))
  test(`[CHK-13] ${name}: what is packed here is unpacked by both, and to nothing but its length`, () => {
    for (const raw of contents) {
      const packed = safePath.compress(raw, new Room());
      for (const other of Object.values(ways)) {
        assert.deepEqual(other.decompress(packed, raw.length), raw);
        assert.throws(() => other.decompress(packed, raw.length + 1));
        if (raw.length > 0)
          assert.throws(() => other.decompress(packed, raw.length - 1));
      }
    }
  });

for (const [name, safePath] of Object.entries(ways))
  test(`[CHK-17] ${name}: what is damaged is not unpacked`, () => {
    const raw = Buffer.alloc(100_000, "again ");
    const packed = Buffer.from(safePath.compress(raw, new Room()));
    assert.throws(() =>
      safePath.decompress(packed.subarray(0, -4), raw.length),
    );
    packed.fill(0xff, 0, 4);
    assert.throws(() => safePath.decompress(packed, raw.length));
  });
