import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkpointId,
  type RewindPlan,
} from "../../../src/contract/session/checkpoint.ts";
import {
  begun,
  marksIn,
  turns,
} from "../../../src/session/fixtures/line-stories.ts";
import { initialLine, evolveLine } from "../../../src/session/line/line.ts";
import { marksAfter } from "../../../src/session/line/preview.ts";
import type { Story } from "../../../src/session/testing.ts";
import { parseDiff } from "../diff/parse.ts";
import { reversed } from "../diff/reverse.ts";
import { at } from "../fixtures/samples.ts";
import { readablePlan } from "./use-plan.ts";
import { personalWork, rewindFacts, turnsWords } from "./rewind-facts.ts";

const plan = (different: Partial<RewindPlan> = {}): RewindPlan => ({
  turn: 1,
  checkpoint: checkpointId(3),
  changes: [],
  conflicts: [],
  conversation: "native",
  truncated: false,
  ...different,
});

const factsOf = (story: Story, planned: RewindPlan) =>
  rewindFacts({
    plan: planned,
    before: marksIn(story),
    after: marksAfter(story.events.reduce(evolveLine, initialLine), {
      ...planned,
      files: planned.changes.length,
      at: at(0),
    }),
    agentName: "Demo",
  });

test("[PAG-145] what a rewind does to files, turns and memory is said in three facts", () => {
  const facts = factsOf(
    turns(1, 2, 3),
    plan({
      changes: [
        { path: "a", kind: "modified" },
        { path: "b", kind: "mode" },
        { path: "c", kind: "removed" },
        { path: "d", kind: "added" },
      ],
    }),
  );
  assert.deepEqual(facts, {
    files: {
      title: "4 files change",
      text: "2 go back to what they were, 1 is removed, 1 returns.",
    },
    turns: {
      title: "Turns 2 and 3 are left behind",
      text: "They stay in the journal. You can fork from them, or rewind to them.",
    },
    memory: {
      title: "Demo remembers turn 1",
      text: "It gets its own memory of that moment back: native.",
    },
  });
});

test("[PAG-145] an agent that is told, one that remembers nothing, and a rewind that changes nothing say so", () => {
  const told = factsOf(
    turns(1, 2),
    plan({ turn: 2, conversation: "injected" }),
  );
  assert.deepEqual(
    [told.files.title, told.turns.title, told.memory.title],
    [
      "No file changes",
      "No turn is left behind",
      "Demo is told of turns 1 and 2",
    ],
  );
  const fresh = factsOf(turns(1, 2), plan({ conversation: "fresh" }));
  assert.equal(fresh.memory.title, "Demo remembers nothing");
  assert.equal(factsOf(begun(), plan()).turns.title, "No turn is left behind");
});

test("[PAG-145] numbers of turns are told in runs", () => {
  assert.equal(turnsWords([3]), "turn 3");
  assert.equal(turnsWords([6, 7]), "turns 6 and 7");
  assert.equal(turnsWords([1, 2, 3]), "turns 1 to 3");
  assert.equal(turnsWords([1, 2, 3, 5, 7]), "turns 1 to 3, 5 and 7");
});

test("[PAG-147] who worked between turns is asked, unless git is the session's own", () => {
  const head = {
    was: { head: null, branch: null },
    now: { head: null, branch: null },
    moves: true,
    commits: [{ id: "a".repeat(40), subject: "by hand" }],
  };
  assert.equal(personalWork({}, false), null);
  assert.equal(personalWork({ head }, true), null);
  assert.deepEqual(personalWork({ head }, false), {
    edits: [],
    movesHead: true,
    commits: head.commits,
    moreCommits: 0,
  });
  const edits = [{ path: "a", kind: "modified" as const }];
  assert.deepEqual(personalWork({ edits }, true)?.edits, edits);
});

test("[PAG-146] the changes since a turn, read backwards, are what the rewind does", () => {
  const [file] = parseDiff(
    [
      "--- a/x.ts",
      "+++ b/x.ts",
      "@@ -1,3 +1,4 @@",
      " one",
      "-two",
      "+zwei",
      "+drei",
      "\\ No newline at end of file",
      " four",
    ].join("\n"),
  );
  assert.ok(file !== undefined);
  const back = reversed(file);
  assert.deepEqual([back.added, back.removed, back.kind], [1, 2, "modified"]);
  assert.deepEqual(
    back.rows.map(({ kind, old, now, text }) => [kind, old, now, text]),
    [
      ["same", 1, 1, "one"],
      ["removed", 2, null, "zwei"],
      ["removed", 3, null, "drei"],
      ["note", null, null, "No newline at end of file"],
      ["added", null, 2, "two"],
      ["same", 4, 3, "four"],
    ],
  );
  assert.deepEqual(reversed(back), file);
  assert.equal(reversed({ ...file, kind: "added" }).kind, "removed");
});

test("[PAG-367] what a rewind would do counts no files that git keeps for itself", () => {
  const planned = readablePlan(
    plan({
      changes: [
        { path: ".git/index", kind: "modified" },
        { path: "vendor/.git/HEAD", kind: "added" },
        { path: "a.txt", kind: "modified" },
      ],
    }),
  );
  assert.deepEqual(
    planned.changes.map(({ path }) => path),
    ["a.txt"],
  );
});
