import assert from "node:assert/strict";
import { test } from "node:test";
import { aSession, sessionId } from "../fixtures/samples.ts";
import { readTrash } from "./read-trash.ts";
import { trashRows } from "./trash-rows.ts";

const DAY = 86_400_000;
const deleted = (number: number, deleted_at: string) =>
  aSession({ id: sessionId(number), name: `Session ${number}`, deleted_at });

test("[PAG-168] who goes first comes first, and what was taken out or deleted since is known", () => {
  const early = deleted(1, "2026-01-01T00:00:00.000Z");
  const late = deleted(2, "2026-01-03T00:00:00.000Z");
  const since = deleted(3, "2026-01-02T00:00:00.000Z");
  const takenOut = aSession({ id: sessionId(4), deleted_at: null });
  const rows = trashRows(
    {
      sessions: [late, early, { ...takenOut, deleted_at: late.deleted_at }],
      tasks: [],
    },
    {
      byId: new Map([since, takenOut].map((each) => [each.id, each])),
      tasks: [],
      removed: new Set(),
    },
    7,
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["Session 1", "Session 3", "Session 2"],
  );
  assert.equal(rows[0]?.until, Date.parse("2026-01-01T00:00:00Z") + 7 * DAY);
});

test("[PAG-244] what was removed for good elsewhere is not listed, though it was read", () => {
  const [gone, kept] = [1, 2].map((number) =>
    deleted(number, "2026-01-01T00:00:00.000Z"),
  );
  assert.ok(gone && kept);
  const rows = trashRows(
    { sessions: [gone, kept], tasks: [] },
    { byId: new Map(), tasks: [], removed: new Set([gone.id]) },
    7,
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    [kept.id],
  );
});

test("[PAG-168] all pages of the trash are read", async () => {
  const asked: unknown[] = [];
  const { sessions, tasks } = await readTrash({
    listSessions: (query) => {
      asked.push(query);
      return Promise.resolve(
        query?.after === undefined
          ? { sessions: [deleted(1, "2026-01-01T00:00:00.000Z")], next: "two" }
          : { sessions: [deleted(2, "2026-01-01T00:00:00.000Z")], next: null },
      );
    },
    listTasks: () => Promise.resolve({ tasks: [], next: null }),
  });
  assert.equal(sessions.length, 2);
  assert.deepEqual(tasks, []);
  assert.deepEqual(asked, [
    { deleted: true, limit: 200 },
    { deleted: true, limit: 200, after: "two" },
  ]);
});
