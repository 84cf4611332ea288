import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionId, TaskId } from "../../../src/contract/base/id.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import { sessionId } from "../fixtures/samples.ts";
import { purgeRows, type PurgeProgress } from "./purge-rows.ts";
import type { TrashRow } from "./trash-rows.ts";

const row = (number: number, kind: TrashRow["kind"] = "session"): TrashRow => ({
  kind,
  id: kind === "session" ? sessionId(number) : aTask,
  name: `Row ${number}`,
  about: "",
  deletedAt: "2026-01-01T00:00:00.000Z",
  until: 0,
});
const aTask = `tsk_${String(1).padStart(26, "0")}`;

/** What was asked, and what was told of each page. */
const purged = async (
  rows: readonly TrashRow[],
  refuse: (id: string) => RepriseError | null = () => null,
) => {
  const asked: string[] = [];
  const pages: PurgeProgress[] = [];
  const ask = (id: string): void => {
    asked.push(id);
    const error = refuse(id);
    if (error !== null) throw error;
  };
  await purgeRows(
    {
      purgeSession: async (id) => {
        ask(id);
        return { session_id: SessionId.parse(id) };
      },
      purgeTask: async (id) => {
        ask(id);
        return { task_id: TaskId.parse(id) };
      },
    },
    rows,
    (page) => pages.push(page),
  );
  return { asked, pages };
};

test("[PAG-241] what was listed is deleted page by page, and what is refused holds up nothing", async () => {
  const rows = [
    ...Array.from({ length: 24 }, (_, at) => row(at + 1)),
    row(1, "task"),
  ];
  const { asked, pages } = await purged(rows, (id) =>
    id === sessionId(3) ? new RepriseError("wrong_state", "It is lent.") : null,
  );
  assert.deepEqual(asked, [...rows.map(({ id }) => id), sessionId(3)]);
  assert.deepEqual(
    pages.map(({ gone }) => gone.length),
    [19, 5],
  );
  assert.deepEqual(
    pages.map(({ failed }) => [...failed]),
    [[[sessionId(3), "It is lent."]], [[sessionId(3), "It is lent."]]],
  );
});

test("[PAG-241] one that waits for another one goes behind it", async () => {
  const gone = new Set<string>();
  const { pages } = await purged([row(1), row(2)], (id) => {
    if (id === sessionId(1) && !gone.has(sessionId(2)))
      return new RepriseError("wrong_state", "It is lent.");
    gone.add(id);
    return null;
  });
  assert.deepEqual(
    pages.flatMap((page) => page.gone),
    [sessionId(2), sessionId(1)],
  );
});

test("[PAG-242] what somebody else has removed counts as deleted", async () => {
  const { pages } = await purged([row(1), row(1, "task")], (id) =>
    id === aTask
      ? new RepriseError("task_not_found", "There is no such task.")
      : new RepriseError("session_not_found", "There is no such session."),
  );
  assert.deepEqual(pages, [{ gone: [sessionId(1), aTask], failed: new Map() }]);
});
