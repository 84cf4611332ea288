import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../contract/event/event.ts";
import {
  asked,
  at,
  said,
  sessionId,
  turnEnded,
} from "./fixtures/happenings.ts";
import { isSent } from "./message/message.ts";
import { outboxEntriesOf } from "./outbox-entries.ts";

const one = sessionId(1);
const all = { id: "all", wants: isSent };
const permissions = {
  id: "ask",
  wants: (event: { type: string }) =>
    event.type === "session.permission.requested",
};

void test("[WHK-4] [STO-73] each channel is noted with the first and the last event that it asks for", () => {
  const events = [
    said(one, 4),
    asked(one, 5),
    said(one, 6),
    turnEnded(one, 7),
    said(one, 8),
  ];
  assert.deepEqual(outboxEntriesOf([all, permissions], events), [
    { channel: "all", from_seq: 5, to_seq: 7, at: at(7) },
    { channel: "ask", from_seq: 5, to_seq: 5, at: at(5) },
  ]);
  const policy = asked(one, 5, "Read", { answered_by: "policy" });
  assert.deepEqual(outboxEntriesOf([all], [policy]), []);
});

void test("[WHK-4] what a session brings with it when it is imported is not sent", () => {
  const created = { ...said(one, 1), type: "session.created" } as Event;
  const brought = [created, turnEnded(one, 2)];
  assert.deepEqual(outboxEntriesOf([all], brought), []);
});

void test("[STO-73] a hundred thousand events of other kinds ask no channel anything", () => {
  const asks = { id: "x", wants: () => assert.fail("it was asked") };
  const events = Array.from({ length: 100_000 }, (_, i) => said(one, i + 1));
  for (const event of events)
    assert.deepEqual(outboxEntriesOf([asks], [event]), []);
  assert.deepEqual(outboxEntriesOf([asks], events), []);
});
