import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Timeline } from "./timeline.ts";
import { newPrompt } from "../../fixtures/ids.ts";
import { Journal } from "./journal.ts";
import type { JournalRecord } from "./record.ts";

const stopping: JournalRecord = { kind: "stopping" };
const acknowledged: JournalRecord = { kind: "acknowledged", to: 5 };

const inDirectory = (run: (path: string) => void): void => {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  try {
    run(join(directory, "journal"));
  } finally {
    rmSync(directory, { recursive: true });
  }
};

test("what was appended is read again, and appending goes on", () =>
  inDirectory((path) => {
    const first = Journal.open(path);
    assert.deepEqual(first.records, []);
    first.journal.append(stopping);
    first.journal.close();
    const second = Journal.open(path);
    second.journal.append(acknowledged);
    second.journal.close();
    assert.throws(() => second.journal.append(stopping));
    assert.deepEqual(Journal.open(path).records, [stopping, acknowledged]);
  }));

test("a torn last line is cut off, so that the next record does not continue it", () =>
  inDirectory((path) => {
    const { journal } = Journal.open(path);
    journal.append(stopping);
    journal.close();
    appendFileSync(path, '{"kind":"ackno');
    const next = Journal.open(path);
    next.journal.append(acknowledged);
    next.journal.close();
    assert.deepEqual(Journal.open(path).records, [stopping, acknowledged]);
  }));

test("records of an unknown kind are kept where they are and passed over", () =>
  inDirectory((path) => {
    appendFileSync(path, '{"kind":"from_the_future","n":1}\n');
    const { journal, records } = Journal.open(path);
    journal.append(stopping);
    journal.close();
    assert.deepEqual(records, []);
    assert.match(readFileSync(path, "utf8"), /from_the_future/);
  }));

test("[REC-33] a record that cannot be read leaves a gap that is known; what a newer agentctl wrote leaves none", () =>
  inDirectory((path) => {
    appendFileSync(
      path,
      '{"kind":"stopping"}\n{"kind":"handed","prompt\u0000\n{"kind":"handed"}\n{"kind":"from_the_future"}\n',
    );
    const { journal, records } = Journal.open(path);
    journal.close();
    const gap = { kind: "unreadable" };
    assert.deepEqual(records, [stopping, gap, gap]);
  }));

test("[REC-33] [LNK-22] only prompts that were handed over after a gap are proven not to be taken", () =>
  inDirectory((path) => {
    const [before, after] = [newPrompt(), newPrompt()];
    const hand = (prompt_id: typeof before) =>
      `${JSON.stringify({ kind: "handed", prompt_id })}\n`;
    const ended: JournalRecord = {
      kind: "ended",
      at: 0,
      ending: { kind: "stopped" },
      stderr_tail: "",
    };
    const toldOf = (text: string) => {
      rmSync(path, { force: true });
      appendFileSync(path, text);
      const { timeline } = Timeline.open(path);
      timeline.record(ended);
      timeline.close();
      const item = timeline.facts.at(-1)?.item;
      assert.ok(item?.kind === "ended");
      return [item.not_taken, item.journal_damaged];
    };
    const whole = toldOf(hand(before) + hand(after));
    assert.deepEqual(whole, [[before, after], undefined]);
    const damaged = toldOf(`${hand(before)}?\n${hand(after)}`);
    assert.deepEqual(damaged, [[after], true]);
  }));
