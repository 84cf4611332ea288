import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEvent } from "../../contract/event/event.ts";
import { numbered, turnEnded } from "../fixtures/sample.ts";
import { palette } from "../terminal/palette.ts";
import { Narrator } from "./narrator.ts";

const told = (...events: NewEvent[]): string => {
  const narrator = new Narrator(palette(false), "reprise");
  return numbered(1, events)
    .map((event) => narrator.tell(event))
    .join("");
};

const notice = (code: string, text: string): NewEvent => ({
  type: "session.notice",
  data: { level: "error", code, text },
});

test("[API-131] the error of a turn is told once", () => {
  const text = told(
    turnEnded("failed"),
    notice("agent_error", "no credit"),
    notice("other", "no credit"),
  );
  assert.equal(
    text,
    "── turn 1 failed (end_turn)\n   no credit\n! no credit\n",
  );
  assert.equal(told(notice("agent_error", "old")), "! old\n");
});

test("[API-131] a turn that failed is not called an error as well", () => {
  const ended = turnEnded("failed");
  assert.ok(ended.type === "session.turn.ended");
  const text = told({
    ...ended,
    data: { ...ended.data, stop_reason: "error", error: "no credit" },
  });
  assert.match(text, /^── turn 1 failed\n {3}no credit\n$/);
});
