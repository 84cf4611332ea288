import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import {
  append,
  sessionId,
  taskAppend,
  taskId,
} from "../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "./fixtures/place.ts";

/** Runs the program that appends until it dies: by our SIGKILL after some lines, or at a crash point of its own. */
const appendUntilKilled = async (
  path: string,
  until: { lines: number } | { crashAt: string },
): Promise<Map<string, number>> => {
  const program = join(import.meta.dirname, "fixtures/append-until-killed.ts");
  const child = spawn(process.execPath, [program, path], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...("crashAt" in until ? { REPRISE_CRASH_AT: until.crashAt } : {}),
    },
  });
  const exited = once(child, "exit");
  const acknowledged = new Map<string, number>();
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    const [id = "", seq = ""] = line.split(" ");
    acknowledged.set(id, Number(seq));
    lines += 1;
    if ("lines" in until && lines === until.lines) child.kill("SIGKILL");
  }
  assert.deepEqual(await exited, [null, "SIGKILL"]);
  return acknowledged;
};

const cases = [
  { name: "in the middle of its work", until: { lines: 400 } },
  { name: "before a commit", until: { crashAt: "store.before-commit:30" } },
  { name: "after a commit", until: { crashAt: "store.after-commit:30" } },
] as const;

for (const { name, until } of cases)
  void test(`[P1] [P2] [STO-63] [STO-68] kill -9 ${name}: what was acknowledged is there, without a gap`, async (t) => {
    const path = databasePath(t);
    const acknowledged = await appendUntilKilled(path, until);
    const store = await openAt(path);
    const term = await store.claim();
    let unacknowledged = 0;
    const extra = (id: string, length: number): number => {
      const more = length - (acknowledged.get(id) ?? 0);
      assert.ok(more === 0 || more === 1, `${id}: ${more} more`);
      return more;
    };
    for (let n = 0; n < 8; n += 1) {
      const events = await store.events(sessionId(n), 0, 1_000_000);
      assert.deepEqual(
        events,
        append(term, sessionId(n), 0, events.length).events,
      );
      unacknowledged += extra(sessionId(n), events.length);
      const to_seq = (await store.taskNews(sessionId(n)))?.to_seq ?? 0;
      assert.equal(to_seq, events.length, "news is committed with its events");
      await store.append(append(term, sessionId(n), events.length));
    }
    for (const id of [taskId(0), taskId(1)]) {
      const events = await store.taskEvents(id, 0, 1_000_000);
      const { length } = events;
      assert.deepEqual(events, taskAppend(term, id, 0, length).events);
      unacknowledged += extra(id, length);
      if (length > 0)
        assert.deepEqual(await store.loadTask(id), { last_seq: length });
      await store.appendTask(taskAppend(term, id, length));
    }
    if (name === "before a commit") assert.equal(unacknowledged, 0);
    if (name === "after a commit") assert.ok(unacknowledged > 0);
  });
