import assert from "node:assert/strict";
import { test } from "node:test";
import { eventJson } from "../../contract/event-json.ts";
import type { Event } from "../../contract/event.ts";
import type { OpenStore } from "./rule.ts";
import { append, at, begun, said, sessionId } from "./sample.ts";

export const messageStartRules = (open: OpenStore): void => {
  const one = sessionId(1);

  void test("[API-100] where messages begin is read from the end, with the bytes that belong to each", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    const long = "long ".repeat(40_000);
    const events: Event[] = [1, 2, 3, 4, 5, 6, 7].map((seq) =>
      seq === 2 || seq === 4
        ? begun(one, seq, seq === 4 ? 2 : null)
        : seq === 6
          ? noticed(seq)
          : said(one, seq, seq === 5 ? long : "short"),
    );
    await store.append(append(term, one, 0, 0, { events }));
    const bytes = (...seqs: number[]): number =>
      events
        .filter(({ seq }) => seqs.includes(seq))
        .reduce((sum, each) => sum + Buffer.byteLength(eventJson(each)), 0);
    const agent = { role: "agent", turn: 1 };
    assert.deepEqual(await store.messageStarts(one, 8, 10), {
      starts: [
        {
          seq: 6,
          bytes: bytes(6, 7),
          role: "notice",
          turn: null,
          continues: false,
        },
        { seq: 4, bytes: bytes(4, 5), ...agent, continues: true },
        { seq: 2, bytes: bytes(2, 3), ...agent, continues: false },
      ],
      rest: bytes(1),
      reached: 1,
    });
    assert.deepEqual(await store.messageStarts(one, 6, 1), {
      starts: [{ seq: 4, bytes: bytes(4, 5), ...agent, continues: true }],
      rest: 0,
      reached: 4,
    });
    const none = { starts: [], rest: 0, reached: 1 };
    assert.deepEqual(await store.messageStarts(one, 1, 10), none);
  });
};

const session_id = sessionId(1);

const noticed = (seq: number): Event => ({
  seq,
  type: "session.notice",
  at: at(seq),
  session_id,
  task_id: null,
  data: { level: "info", code: "c", text: "t" },
});
