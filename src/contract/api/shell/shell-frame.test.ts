import assert from "node:assert/strict";
import { test } from "node:test";
import { ShellId } from "../../base/id.ts";
import {
  decodeShellFrame,
  encodeShellFrame,
  type ShellFrame,
} from "./shell-frame.ts";

const shell_id = ShellId.parse("shl_01h00000000000000000000000");
const bytes = new Uint8Array([0, 255, 27, 200]);
const frames: ShellFrame[] = [
  { kind: "snapshot", shell_id, offset: 2 ** 40, cols: 80, rows: 24, bytes },
  { kind: "output", shell_id, offset: 0, bytes },
  { kind: "resized", shell_id, offset: 7, cols: 500, rows: 1 },
  {
    kind: "ended",
    shell_id,
    offset: 7,
    end: { reason: "lost", exit_code: null },
  },
  {
    kind: "detached",
    shell_id,
    offset: 7,
    why: { code: "agentctl_unavailable", message: "gone" },
  },
];

for (const frame of frames)
  test(`[SHL-20] a frame of the kind ${frame.kind} is read as it was written`, () => {
    const message = encodeShellFrame(frame);
    assert.deepEqual(decodeShellFrame(message), frame);
    assert.deepEqual(decodeShellFrame(message.buffer), frame);
  });

test("[SHL-20] the head of a frame has 40 bytes: version, kind, shell, offset", () => {
  const message = encodeShellFrame({
    kind: "output",
    shell_id,
    offset: 258,
    bytes,
  });
  assert.deepEqual([...message.subarray(0, 2)], [1, 2]);
  assert.equal(new TextDecoder().decode(message.subarray(2, 32)), shell_id);
  assert.deepEqual([...message.subarray(32, 40)], [0, 0, 0, 0, 0, 0, 1, 2]);
  assert.deepEqual(message.subarray(40), bytes);
});

test("[SHL-20] what is no frame, or one of another version or kind, is none", () => {
  const message = encodeShellFrame({
    kind: "resized",
    shell_id,
    offset: 1,
    cols: 1,
    rows: 1,
  });
  const spoilt = (change: (bytes: Uint8Array) => void) => {
    const copy = message.slice();
    change(copy);
    return decodeShellFrame(copy);
  };
  assert.equal(decodeShellFrame(message.subarray(0, 39)), null);
  assert.equal(decodeShellFrame(message.subarray(0, 42)), null);
  assert.equal(decodeShellFrame(new Uint8Array(0)), null);
  assert.equal(
    spoilt((it) => (it[0] = 2)),
    null,
  );
  for (const kind of [0, 6, 255])
    assert.equal(
      spoilt((it) => (it[1] = kind)),
      null,
    );
  assert.equal(
    spoilt((it) => (it[5] = 0)),
    null,
  );
  assert.equal(
    spoilt((it) => (it[32] = 255)),
    null,
  );
  assert.equal(
    spoilt((it) => (it[1] = 4)),
    null,
  );
});
