import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered, sampleCheckpoint, turnEnded } from "../fixtures/sample.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { eventLine } from "./event-line.ts";
import { palette } from "../terminal/palette.ts";
import { isTurnEnd, turnEnd } from "./turn-end.ts";

test("[SES-62] the end of a turn says how many tokens it took", () => {
  const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
  const ended = turnEnded();
  assert.ok(ended.type === "session.turn.ended");
  const [event] = numbered(1, [
    {
      ...ended,
      data: { ...ended.data, usage: { ...usage, cached_tokens: 0 } },
    },
  ]);
  assert.ok(event !== undefined && isTurnEnd(event));
  assert.match(
    turnEnd(event, palette(false)),
    /\(end_turn, 18 tokens \(11 in, 7 out\)\)$/,
  );
});

test("one file is one file", () => {
  const line = (files: number): string => {
    const [event] = numbered(1, [
      {
        type: "session.checkpoint.saved",
        data: { checkpoint: sampleCheckpoint(2, { files }) },
      },
    ]);
    assert.ok(event);
    return eventLine(event, memoryWorld().world.out);
  };
  assert.match(line(1), /, 1 file in 7 ms$/);
  assert.match(line(2), /, 2 files in 7 ms$/);
});
