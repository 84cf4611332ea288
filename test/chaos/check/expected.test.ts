import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_DIRECTORY } from "../user/speech.ts";
import { Expected } from "./expected.ts";

const note = { path: "notes/1.txt", holds: "a", told: "I wrote notes/1.txt." };
const wrong = (expected: Expected, leaves: Record<string, string>): string[] =>
  expected.hold(new Map(Object.entries(leaves)), new Set());

test("[P3] a turn that was cut off may have made a directory and nothing in it; what a checkpoint showed stays so", () => {
  const expected = new Expected();
  expected.turnStarted([note]);
  expected.turnCutOff();
  assert.deepEqual(wrong(expected, { notes: EMPTY_DIRECTORY }), []);
  assert.equal(wrong(expected, {}).length, 1);
  expected.turnStarted([note]);
  expected.turnCompleted(note.told);
  assert.deepEqual(wrong(expected, { "notes/1.txt": "a" }), []);
});

test("[P3] a turn that was cut off may have emptied a file and not written it; a completed one has written it", () => {
  const cutOff = new Expected();
  cutOff.turnStarted([note]);
  cutOff.turnCutOff();
  assert.deepEqual(wrong(cutOff, { "notes/1.txt": "" }), []);
  const completed = new Expected();
  completed.turnStarted([note]);
  completed.turnCompleted(note.told);
  assert.equal(wrong(completed, { "notes/1.txt": "" }).length, 1);
});

test("[P3] a turn that was completed has written, and left no empty directory", () => {
  const expected = new Expected();
  expected.turnStarted([note]);
  expected.turnCompleted(note.told);
  assert.equal(wrong(expected, { notes: EMPTY_DIRECTORY }).length, 2);
  assert.equal(wrong(expected, {}).length, 1);
  assert.deepEqual(wrong(expected, { "notes/1.txt": "a" }), []);
});

test("[P3] a command that was killed in a turn that was completed has or has not done what it was to do", () => {
  const link = { path: "shape/link", holds: "-> nowhere", told: null };
  const completed = (ending: string): Expected => {
    const expected = new Expected();
    expected.turnStarted([link, note]);
    expected.turnCompleted(`The command ended with ${ending}.\n${note.told}`);
    return expected;
  };
  for (const killed of ["signal SIGKILL", "exit code 137"])
    for (const left of [
      {},
      { shape: EMPTY_DIRECTORY },
      { "shape/link": link.holds },
    ]) {
      const found = { ...left, "notes/1.txt": "a" };
      assert.deepEqual(wrong(completed(killed), found), []);
    }
  assert.equal(
    wrong(completed("exit code 0"), { "notes/1.txt": "a" }).length,
    1,
  );
  const [failed = ""] = wrong(completed("exit code 1"), { "notes/1.txt": "a" });
  assert.match(failed, /an agent had said: The command ended with exit code 1/);
});
