import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Agent } from "./agent/agent.ts";
import { claude } from "./claude/claude.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot/copilot.ts";
import { scratch } from "./fixtures/scratch.ts";
import { gemini } from "./gemini/gemini.ts";

/** Moves a session of one agent to another home and directory, under another id, as its files really look. */
const move = async (
  t: TestContext,
  agent: Agent,
  story: {
    token: string;
    as: string;
    path: string;
    lines: readonly (object | string)[];
    /** Other files of the agent. */
    otherFiles?: Record<string, string>;
  },
) => {
  const [old, home] = [scratch(t), scratch(t)];
  const text = story.lines
    .map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
    .join("\n");
  const files = { ...story.otherFiles, [story.path]: `${text}\n` };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(old, path)), { recursive: true });
    writeFileSync(join(old, path), content);
  }
  const from = { home: old, cwd: "/old/work", env: {} };
  const to = { home, cwd: "/new/work", env: {}, token: story.as };
  const path = await agent.transcript?.(from, story.token);
  assert.equal(path, join(old, story.path));
  const saved = await agent.state?.collect(from, story.token, "");
  assert.ok(saved?.length === 1);
  const placed = await agent.state?.put(
    saved,
    { cwd: from.cwd, token: story.token },
    to,
  );
  assert.deepEqual(placed, { token: story.as });
  const found = await agent.transcript?.(to, story.as);
  assert.ok(found);
  // Nothing of it is found under the old id, or when the agent's home is elsewhere.
  assert.equal(await agent.transcript?.(to, story.token), null);
  const lines = readFileSync(found, "utf8").trimEnd().split("\n");
  return { path: found.slice(home.length + 1), lines };
};

const parsed = (line: string | undefined): unknown => JSON.parse(line ?? "");

test("[P8] Claude: the id and the directory change in every line, what was said does not", async (t) => {
  const token = "5374a5c1-7b15-4a75-b02f-f55ec7b18589";
  const as = "848f081f-e2e8-469a-bec8-f40ba1f1c7c3";
  const said = { role: "user", content: `I am ${token} in /old/work` };
  const title = `{"type":"ai-title", "aiTitle":"A title"}`;
  const { path, lines } = await move(t, claude, {
    token,
    as,
    path: `.claude/projects/-old-work/${token}.jsonl`,
    lines: [
      { type: "queue-operation", operation: "enqueue", sessionId: token },
      { type: "user", message: said, cwd: "/old/work/sub", sessionId: token },
      title,
    ],
  });
  assert.equal(path, `.claude/projects/-new-work/${as}.jsonl`);
  assert.deepEqual(lines.slice(0, 2).map(parsed), [
    { type: "queue-operation", operation: "enqueue", sessionId: as },
    { type: "user", message: said, cwd: "/new/work/sub", sessionId: as },
  ]);
  assert.equal(lines[2], title);
});

test("[P8] Codex: the id changes in name, header and events; the database is not needed", async (t) => {
  const token = "01a1dd96-e6a2-7002-a171-0bf453878bf7";
  const as = "01a1dd99-fea9-7011-96b5-54b07b867621";
  const said = `{"type":"response_item","payload":{"role":"user", "content":[{"text":"/old/work"}]}}`;
  const header = (id: string, cwd: string) => ({
    type: "session_meta",
    payload: { session_id: id, id, cwd, runtime_workspace_roots: [cwd] },
  });
  const event = (id: string, cwd: string) => ({
    type: "event_msg",
    payload: {
      type: "item_completed",
      thread_id: id,
      settings: { path: { type: "path", path: cwd } },
      item: { type: "UserMessage", text: token },
    },
  });
  const { path, lines } = await move(t, codex, {
    token,
    as,
    path: `.codex/sessions/2026/11/15/rollout-2026-11-15T05-03-36-${token}.jsonl`,
    lines: [header(token, "/old/work"), said, event(token, "/old/work")],
    otherFiles: { ".codex/state_5.sqlite": "not to be kept" },
  });
  assert.equal(
    path,
    `.codex/sessions/2026/11/15/rollout-2026-11-15T05-06-59-${as}.jsonl`,
  );
  assert.deepEqual(parsed(lines[0]), header(as, "/new/work"));
  assert.equal(lines[1], said);
  assert.deepEqual(parsed(lines[2]), event(as, "/new/work"));
});

test("[P8] Copilot: the events under another id", async (t) => {
  const token = "b7b0dc75-1a02-4b3f-9cb7-28c95b90dd28";
  const as = "eef12040-c408-4b81-b0b5-7bb44298e740";
  const said = `{"type":"user.message", "data":{"content":"/old/work"}}`;
  const start = (sessionId: string, cwd: string) => ({
    type: "session.start",
    data: { sessionId, version: 1, context: { cwd } },
    parentId: null,
  });
  const { path, lines } = await move(t, copilot, {
    token,
    as,
    path: `.copilot/session-state/${token}/events.jsonl`,
    lines: [start(token, "/old/work"), said],
  });
  assert.equal(path, `.copilot/session-state/${as}/events.jsonl`);
  assert.deepEqual(parsed(lines[0]), start(as, "/new/work"));
  assert.equal(lines[1], said);
});

test("[P8] Gemini: the chat in a project that is marked as the directory's; the empty chat of a load is passed over", async (t) => {
  const token = "76dd208e-0771-4d24-b1cc-30e4d34847e6";
  const as = "695acf33-0e80-46eb-b2e5-47914789f1e2";
  const header = { sessionId: token, projectHash: "of the old", kind: "main" };
  const said = `{"id":"m1", "type":"user","content":[{"text":"hello"}]}`;
  const chats = ".gemini/tmp/work/chats";
  const { path, lines } = await move(t, gemini, {
    token,
    as,
    path: `${chats}/session-2026-11-15T05-03-76dd208e.jsonl`,
    // A load sets the id once more: were it the old one, Gemini would not find the session under its new one.
    lines: [header, said, { $set: { sessionId: token } }],
    otherFiles: {
      ".gemini/tmp/work/.project_root": "/old/work",
      ".gemini/tmp/other/.project_root": "/other/work",
      [`${chats}/session-2026-11-15T05-09-76dd208e.jsonl`]: `${JSON.stringify(header)}\n`,
    },
  });
  assert.equal(path, `${chats}/session-2026-11-15T05-03-695acf33.jsonl`);
  assert.deepEqual(parsed(lines[0]), {
    ...header,
    sessionId: as,
    projectHash:
      "384e5afcabeea273776058cae83105de13bddf0b94108a35ab89df7b57487a91",
  });
  assert.equal(lines[1], said);
  assert.deepEqual(parsed(lines[2]), { $set: { sessionId: as } });
});
