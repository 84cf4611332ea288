import assert from "node:assert/strict";
import { test } from "node:test";
import { messageId } from "../../../src/contract/base/id.ts";
import type { Tool } from "../../../src/contract/agent/tool.ts";
import type { Message } from "../../../src/contract/session/message.ts";
import type { SessionProcess } from "../../../src/contract/session/process.ts";
import { aSession, aStatus, at } from "../fixtures/samples.ts";
import { workspacePath } from "../routes.ts";
import { shownOf } from "../session/shown.ts";
import { accessTo, canOpenTerminal, canTypeIn } from "./access.ts";
import { workspaceAddress, workspaceQuery } from "./address.ts";
import { fileNews } from "./file-news.ts";
import { gitGroups, headWords, upstreamWords } from "./git/git-words.ts";
import { processLines } from "./panel/process-words.ts";
import { byFile, foundPieces, searchOptions } from "./search/search-groups.ts";
import { neighbourTab } from "./side/tab-keys.ts";
import { changedLines, marksOf } from "./since/marks.ts";
import { sinceChoices } from "./since/since-choices.ts";
import type { TurnMark } from "../line/mark.ts";

test("[PAG-110] agentctl says whether the workspace is open, never the agent", () => {
  const kindOf = (session: object, status: object) =>
    accessTo({ session: aSession(session), status: aStatus(status) }).kind;
  for (const state of ["PAUSED", "ERROR", "STARTING", "COMPLETED"] as const)
    assert.equal(kindOf({ state }, { executor_status: "ready" }), "open");
  assert.equal(
    kindOf({ state: "RUNNING" }, { executor_status: "starting" }),
    "closed",
  );
  assert.equal(
    kindOf({ deleted_at: "2026-11-18T12:00:00.000Z" }, {}),
    "closed",
  );
  assert.equal(accessTo({ session: aSession(), status: null }).kind, "open");
  const ready = aStatus({ executor_status: "ready" });
  assert.equal(canOpenTerminal({ session: aSession(), status: ready }), true);
  assert.equal(
    canOpenTerminal({ session: aSession({ status: "ended" }), status: ready }),
    false,
  );
  // Away for a moment, agentctl closes no terminal that is open.
  const starting = aStatus({ executor_status: "starting" });
  const waiting = { session: aSession(), status: starting };
  const access = accessTo(waiting);
  assert.ok(access.kind === "closed" && access.isShort);
  assert.deepEqual(
    [canOpenTerminal(waiting), canTypeIn(waiting)],
    [false, true],
  );
  assert.equal(canTypeIn({ session: aSession({ status: "ended" }) }), false);
});

test("[PAG-236] calls that ended and may have changed files are news, others are not", () => {
  const call = (n: number, tool: Partial<Tool>): Message => ({
    id: messageId(n),
    turn: 3,
    role: "tool",
    text: "",
    tool: { id: String(n), ...tool },
    at: at(0),
  });
  const session = aSession({ state: "RUNNING" });
  const newsOf = (...messages: Message[]) => fileNews({ session, messages });
  const nothing = newsOf(call(1, { kind: "edit", status: "in_progress" }));
  assert.equal(nothing, newsOf(call(1, { kind: "read", status: "completed" })));
  const edited = newsOf(call(1, { kind: "edit", status: "completed" }));
  assert.notEqual(edited, nothing);
  assert.notEqual(newsOf(call(1, { status: "failed" })), nothing);
  assert.notEqual(
    newsOf(
      call(1, { kind: "edit", status: "completed" }),
      call(2, { kind: "execute", status: "completed" }),
    ),
    edited,
  );
  assert.notEqual(
    fileNews({ session: aSession(), messages: [] }),
    fileNews({ session, messages: [] }),
  );
});

test("[PAG-111] every name comes back out of its address", () => {
  for (const path of [
    "src/a b.ts",
    "a#b?c%20d/é",
    "100%",
    "odd-\udcff\udc80",
    "a%2Fb",
  ])
    assert.deepEqual(shownOf(workspacePath("ses_1", path)), {
      tab: "workspace",
      path,
    });
  assert.deepEqual(shownOf("/s/ses_1/workspace"), {
    tab: "workspace",
    path: "",
  });
  assert.equal(shownOf("/s/ses_1/workspace/%zz"), null);
});

test("[PAG-112] the address says since which turn, which line, and what is shown of the file", () => {
  const said = { since: 3, line: 12, shows: "changes" } as const;
  const [, search] = workspaceAddress("ses_1", "a", said).split("?");
  assert.deepEqual(workspaceQuery(search ?? ""), said);
  assert.deepEqual(workspaceQuery("since=x&line=0&view=other"), {
    since: null,
    line: null,
    shows: "file",
  });
});

test("[PAG-112] turns whose files were captured can be chosen, the newest first", () => {
  const turn: Omit<TurnMark, "turn" | "at"> = {
    kind: "turn",
    prompt: "Do it\nnow",
    outcome: "completed",
    memory: "own",
    behind: false,
    changes: null,
    capture: "saved",
    forks: [],
  };
  const at = "2026-11-18T12:00:00.000Z";
  assert.deepEqual(
    sinceChoices([
      { kind: "start", at, files: 1 },
      { ...turn, at, turn: 1 },
      { ...turn, at, turn: 2, capture: "failed" },
      { ...turn, at, turn: 3, behind: true },
      { ...turn, at, turn: 4 },
    ]).map(({ since, name }) => [since, name]),
    [
      [4, "Turn 4: Do it"],
      [1, "Turn 1: Do it"],
      [null, "The beginning"],
    ],
  );
});

test("[PAG-112] files, the directories above them and lines are marked", () => {
  const { files, directories } = marksOf([
    { path: "src/deep/a.ts", kind: "mode" },
    { path: "b", kind: "removed" },
  ]);
  assert.deepEqual([...files.values()], ["modified", "removed"]);
  assert.deepEqual([...directories], ["src", "src/deep"]);
  const row = (kind: "added" | "removed", now: number | null) => ({
    kind,
    old: null,
    now,
    text: "",
  });
  assert.deepEqual(
    [...changedLines({ rows: [row("removed", null), row("added", 7)] })],
    [7],
  );
});

test("[PAG-119] a search is asked with its switches, and found lines stand under their files", () => {
  const form = {
    text: "x",
    isRegex: true,
    isCaseSensitive: false,
    glob: " *.ts ",
    all: true,
  };
  assert.deepEqual(searchOptions(form), {
    q: "x",
    regex: true,
    case: "smart",
    hidden: true,
    ignored: true,
    glob: "*.ts",
  });
  assert.equal(searchOptions({ ...form, text: "" }), null);
  const match = {
    path: "a",
    line: 1,
    text: `${" ".repeat(60)}let colour = teal; // colour`,
    cut: false,
    ranges: [
      { start: 64, end: 70 },
      { start: 82, end: 88 },
    ],
  };
  assert.deepEqual(
    byFile([match, { ...match, path: "b" }, { ...match, line: 2 }]).map(
      ({ path, matches }) => [path, matches.length],
    ),
    [
      ["a", 2],
      ["b", 1],
    ],
  );
  assert.deepEqual(
    foundPieces(match).map(({ text, isMatch }) =>
      isMatch ? `[${text}]` : text,
    ),
    ["let ", "[colour]", " = teal; // ", "[colour]"],
  );
});

test("[PAG-120] git's letters become groups, and a file can be in two of them", () => {
  const status = {
    branch: null,
    commit: "0123456789abcdef",
    upstream: "origin/main",
    ahead: 2,
    behind: 0,
    entries: [
      { path: "a", kind: "changed", index: "M", worktree: "D" },
      { path: "b", from: "c", kind: "renamed", index: "R", worktree: "." },
      { path: "n", kind: "untracked", index: ".", worktree: "." },
      { path: "u", kind: "unmerged", index: "U", worktree: "U" },
    ],
    truncated: false,
  } as const;
  assert.deepEqual(
    gitGroups({ ...status, entries: [...status.entries] }).map(
      ({ name, entries }) => [
        name,
        entries.map(({ sign, path }) => `${sign}${path}`).join(" "),
      ],
    ),
    [
      ["In conflict", "!u"],
      ["Staged", "~a →b"],
      ["Changed", "−a"],
      ["Untracked", "+n"],
    ],
  );
  const of = { ...status, entries: [] };
  assert.equal(headWords(of), "detached at 012345678");
  assert.equal(upstreamWords(of), "2 commits ahead of origin/main");
  assert.equal(upstreamWords({ ...of, ahead: 0 }), "as origin/main");
});

test("[PAG-121] processor time is told of the time between two looks, and the agent is not ended", () => {
  const process: SessionProcess = {
    id: "prc_1_0123456789abcdef",
    pid: 1,
    ppid: 0,
    started_by: "agent",
    owner_id: "exe_1",
    is_agent: false,
    command: "npm run dev",
    started_at: "2026-11-18T12:00:00.000Z",
    cpu_seconds: 10,
    memory_bytes: 84_000_000,
    ports: [5173],
  };
  const before = { at: 0, processes: [process] };
  const now = { at: 2000, processes: [{ ...process, cpu_seconds: 11 }] };
  assert.equal(processLines(before, null)[0]?.cpu, null);
  const [line] = processLines(now, before);
  assert.deepEqual(
    [line?.cpu, line?.memory, line?.ports, line?.keepReason],
    ["50 %", "84 MB", [5173], null],
  );
  const [agent] = processLines(
    { at: 0, processes: [{ ...process, is_agent: true }] },
    null,
  );
  assert.match(agent?.keepReason ?? "", /Pause the session/);
});

test("[PAG-114] arrows go round a list of tabs", () => {
  const tabs = ["a", "b", "c"];
  assert.equal(neighbourTab(tabs, "c", "ArrowRight"), "a");
  assert.equal(neighbourTab(tabs, "a", "ArrowLeft"), "c");
  assert.equal(neighbourTab(tabs, "a", "End"), "c");
  assert.equal(neighbourTab(tabs, "a", "x"), null);
});
