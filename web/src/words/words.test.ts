import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resume } from "../../../src/contract/agent/resume.ts";
import { NO_QUOTA } from "../../../src/contract/session/quota.ts";
import {
  aPermission,
  aSession,
  at,
  NOW,
  promptId,
  sessionId,
} from "../fixtures/samples.ts";
import {
  age,
  clock,
  dueTime,
  dueWords,
  duration,
  markTime,
  pastTime,
  waitWords,
} from "./age.ts";
import { connectionText } from "./away.ts";
import { bytes, changesWords, counted, rounded } from "./counts.ts";
import { endingWords, gradeWords, shortEnding, shortGrade } from "./grade.ts";
import { sessionName } from "./session-name.ts";
import { withTimes } from "./with-times.ts";
import { sentence } from "./sentence.ts";
import { stateWord } from "./state-word.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const resume = (different: Partial<Resume>): Resume => ({
  path: "fast",
  strategy: "native",
  grade: "native",
  verified: true,
  workspace: "unchanged",
  lost: null,
  took_ms: 700,
  ...different,
});

test("[PAG-34] how an agent came back, by its grade", () => {
  const text = (...given: Parameters<typeof gradeWords>): string =>
    gradeWords(...given).text;
  assert.equal(
    text(resume({ grade: "reattached", took_ms: 6 })),
    "The server was restarted. The agent never stopped: found again in 6 ms, nothing lost.",
  );
  assert.equal(
    text(resume({})),
    "It restored its own session in 0.7 s. Verified, workspace unchanged.",
  );
  const lost =
    "The agent's own memory of 12 turns is lost; it is given the history as text with the next prompt.";
  assert.equal(
    text(
      resume({
        grade: "injected",
        verified: false,
        workspace: null,
        lost,
        left_out: 18,
      }),
      { messages: 60 },
    ),
    `History injected: 42 of 60 messages. ${lost}`,
  );
  assert.equal(
    text(resume({ grade: "fresh", workspace: null, lost: "All is lost" })),
    "The agent does not remember. All is lost.",
  );
});

test("[PAG-34] nothing is claimed that was not looked at", () => {
  const text = (different: Partial<Resume>): string =>
    gradeWords(resume(different)).text;
  assert.equal(
    text({ workspace: null }),
    "It restored its own session in 0.7 s. Verified.",
  );
  assert.equal(
    text({ verified: false, workspace: null }),
    "It restored its own session in 0.7 s.",
  );
  assert.equal(
    text({ grade: "injected", workspace: null, lost: "Some of it." }),
    "History injected. Some of it.",
  );
});

test("[PAG-34] what happened to the workspace meanwhile", () => {
  assert.equal(
    gradeWords(resume({ workspace: "restored" }), { restored: 1204 }).text,
    "It restored its own session in 0.7 s. Verified. The directory was gone. 1,204 files are back.",
  );
  const changed = gradeWords(resume({ workspace: "changed" }), {
    changed: { files: 3, turn: 7 },
  });
  assert.equal(
    changed.text,
    "It restored its own session in 0.7 s. Verified. 3 files are not as turn 7 left them. They were not touched.",
  );
  assert.equal(changed.more, "what_changed");
});

test("[PAG-34] beside the mark there is room for less", () => {
  assert.equal(
    shortEnding({ kind: "killed", signal: "SIGKILL" }),
    "Killed by SIGKILL",
  );
  assert.equal(shortEnding({ kind: "vanished" }), "Vanished");
  assert.equal(shortGrade(resume({})), "native, verified, 0.7 s");
  assert.equal(
    endingWords({ kind: "exited", code: 1 }),
    "The agent exited with code 1",
  );
});

test("[PAG-35] the bar says that the server is away, and what was caught up", () => {
  assert.equal(connectionText({ kind: "opening" }, NOW), null);
  assert.equal(connectionText({ kind: "connected" }, NOW), null);
  assert.deepEqual(
    connectionText({ kind: "away", since: NOW, nextTryAt: null }, NOW),
    {
      title: "The server is away.",
      text: "Agents go on working. What you see is from 12:47:03; it catches up by itself. Trying now.",
    },
  );
  assert.deepEqual(connectionText({ kind: "back", caughtUp: 214 }, NOW), {
    title: "Back.",
    text: "214 events caught up.",
  });
});

test("[PAG-36] ages, times and durations are short", () => {
  assert.equal(age(at(-59_000), NOW), "now");
  assert.equal(age(at(5_000), NOW), "now");
  assert.equal(age(at(-12 * MINUTE), NOW), "12 min");
  assert.equal(age(at(-3 * HOUR), NOW), "3 h");
  assert.equal(age(at(-2 * DAY), NOW), "Mon");
  assert.equal(age(at(-8 * DAY), NOW), "10 Nov");
  assert.equal(age(at(-400 * DAY), NOW), "14 Oct 2025");
  assert.equal(clock(NOW), "12:47");
  assert.equal(dueTime(NOW + DAY, NOW), "tomorrow at 12:47");
  assert.equal(dueTime(NOW + 4 * DAY, NOW), "22 November at 12:47");
  assert.equal(pastTime(NOW, NOW), "today at 12:47");
  assert.equal(pastTime(NOW - 6 * DAY, NOW), "on 12 November at 12:47");
  assert.deepEqual(
    [6.4, 700, 52_000, 250_000, 4_320_000, 3_600_000].map(duration),
    ["6 ms", "0.7 s", "52 s", "4 min 10 s", "1 h 12 min", "1 h"],
  );
});

test("[PAG-36] the year ends between a time and what is said of it", () => {
  const last = new Date(2026, 11, 31, 23, 59, 30).getTime();
  const first = last + MINUTE;
  assert.equal(dueTime(first, last), "tomorrow at 00:00");
  assert.equal(dueTime(first, first), "00:00");
  assert.equal(dueTime(last, first), "31 December at 23:59");
  assert.equal(dueWords(first, last), "tomorrow at 00:00");
  assert.equal(dueWords(first, first), "at 00:00");
  assert.equal(dueWords(last, first), "on 31 December at 23:59");
  assert.equal(dueWords(last + 3 * DAY, last), "on 3 January at 23:59");
  assert.equal(pastTime(last, last), "today at 23:59");
  assert.equal(pastTime(last, first), "yesterday at 23:59");
  assert.equal(markTime(last, first), "31 Dec 23:59");
  assert.equal(age(last, first - 1), "now");
  assert.equal(age(last, first), "1 min");
  assert.equal(age(last, last + DAY), "Thu");
  assert.equal(age(last, last + 8 * DAY), "31 Dec 2026");
  // The page looks at its clock every few seconds, and is told of what happened since.
  assert.equal(pastTime(first, last), "today at 00:00");
  assert.equal(markTime(first, last), "00:00");
});

test("[PAG-36] counts have their nouns", () => {
  assert.equal(counted(1, "file"), "1 file");
  assert.equal(counted(1204, "file"), "1,204 files");
  assert.deepEqual([999, 1200, 214_300, 1_240_000].map(rounded), [
    "999",
    "1.2k",
    "214k",
    "1.2M",
  ]);
  assert.equal(bytes(84_000_000), "84 MB");
  assert.equal(
    changesWords({ files: 3, added: 54, removed: 19 }),
    "3 files +54 −19",
  );
  assert.equal(changesWords({ files: 1, added: 38, removed: 0 }), "1 file +38");
  assert.equal(
    changesWords({ files: 2, added: null, removed: null }),
    "2 files",
  );
  assert.equal(changesWords({ files: 0, added: 0, removed: 0 }), "no change");
});

test("[PAG-36] the words of others end with a stop", () => {
  assert.equal(sentence("not  logged\nin"), "not logged in.");
  assert.equal(sentence("Is it?"), "Is it?");
  assert.equal(sentence(" "), "");
});

test("[PAG-37] each state is a word and a shape", () => {
  const cut = (state: "interrupted" | "uncertain") => ({
    unresolved_prompts: [
      { id: promptId(), session_id: sessionId(), turn: 4, state },
    ],
  });
  const table: [ReturnType<typeof aSession>, string, string][] = [
    [aSession({ state: "STARTING" }), "starting", "Starting"],
    [aSession({ state: "RUNNING" }), "working", "Working"],
    [
      aSession({ state: "RUNNING", pending_permissions: [aPermission()] }),
      "needs_you",
      "Needs you",
    ],
    [aSession(), "resting", "Resting"],
    [aSession({ state: "PAUSED" }), "paused", "Paused"],
    [aSession({ state: "ERROR", status: "error" }), "failed", "Error"],
    [aSession(cut("interrupted")), "interrupted", "Cut off"],
    [
      aSession({
        unresolved_prompts: cut("interrupted").unresolved_prompts.map(
          (prompt) => ({
            ...prompt,
            why: { code: "quota", reason: "Used up.", ending: null },
            goes_on: { at: at(1000) },
          }),
        ),
        quota: { ...NO_QUOTA, goes_on_at: at(1000) },
      }),
      "resting",
      "Waits for its quota",
    ],
    [aSession(cut("uncertain")), "needs_you", "Uncertain"],
    [aSession({ state: "CANCELLED", status: "ended" }), "ended", "Cancelled"],
    [aSession({ deleted_at: at(0) }), "ended", "In the trash"],
  ];
  for (const [session, glyph, word] of table)
    assert.deepEqual(stateWord(session), { glyph, word });
  assert.deepEqual(stateWord(aSession(), true), {
    glyph: "finished",
    word: "Finished",
  });
});

test("[PAG-152] a mark has its time, and a question says how long it waits", () => {
  const noon = new Date(2026, 10, 18, 12, 47).getTime();
  assert.equal(markTime(noon, noon + HOUR), "12:47");
  assert.equal(markTime(noon, noon + 3 * DAY), "18 Nov 12:47");
  const asked = new Date(noon).toISOString();
  assert.equal(waitWords(asked, noon + 30_000), "asked now");
  assert.equal(waitWords(asked, noon + 2 * MINUTE), "waits for 2 min");
  assert.equal(waitWords(asked, noon + 2 * DAY), "waits since Wed");
});

test("[PAG-153] a session is called by its name, by how it began, or by its id", () => {
  const session = aSession({ name: null, first_prompt: "\nFix it\nquickly" });
  assert.equal(sessionName(session), "Fix it");
  assert.equal(sessionName({ ...session, name: "Mine" }), "Mine");
  const empty = aSession({ name: null, first_prompt: null, last_words: null });
  assert.equal(sessionName(empty), `Session ${empty.id.slice(-6)}`);
  const long = aSession({ name: null, first_prompt: "x".repeat(200) });
  assert.equal(sessionName(long), `${"x".repeat(80)}…`);
});

test("[PAG-309] times in texts of the server are told as everywhere on the page", () => {
  const told = (later: number): string =>
    withTimes(
      `Used up until ${new Date(NOW + later).toISOString()}. It is filled again at ${new Date(NOW + later).toISOString()}.`,
      NOW,
    );
  const hour = clock(NOW + 5 * DAY);
  assert.match(
    told(0),
    /^Used up until \d\d:\d\d\. It is filled again at \d\d:\d\d\.$/,
  );
  assert.match(
    told(DAY),
    /^Used up until tomorrow at \d\d:\d\d\. It is filled again tomorrow at \d\d:\d\d\.$/,
  );
  assert.match(
    told(5 * DAY),
    new RegExp(
      `^Used up until \\d+ \\w+ at ${hour}\\. It is filled again on \\d+ \\w+ at ${hour}\\.$`,
    ),
  );
  assert.equal(
    withTimes("It is 2026-11-18, line 12:30.", NOW),
    "It is 2026-11-18, line 12:30.",
  );
});
