import assert from "node:assert/strict";
import { test } from "node:test";
import { StateName } from "../../../src/contract/session/state.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import {
  aPermission,
  aPrompt,
  aSession,
  at,
  NOW,
  promptId,
  sessionId,
} from "../fixtures/samples.ts";
import { neighbour } from "../frame/use-row-keys.ts";
import { attention } from "../store/attention.ts";
import { askWords, isAnswerable } from "./ask-words.ts";
import {
  type Filters,
  type HomeItem,
  homeItems,
  NO_FILTERS,
} from "./sections.ts";

const nothingSeen = { since: at(0), turns: new Map<string, number>() };

const listed = (sessions: Session[], filters: Partial<Filters> = {}) =>
  homeItems(sessions, attention(sessions, nothingSeen), [], {
    ...NO_FILTERS,
    ...filters,
  });

/** `Working: 1 2`, by the numbers of sessions. */
const shown = (items: readonly HomeItem[]): string[] =>
  items.map((item) => {
    if (item.kind === "head") return `${item.name} (${item.count})`;
    return String(Number(item.key.slice(4)));
  });

const asking = aSession({
  id: sessionId(1),
  state: "RUNNING",
  pending_permissions: [aPermission()],
});
const working = aSession({
  id: sessionId(2),
  state: "RUNNING",
  agent: "codex",
});
const resting = aSession({ id: sessionId(3), name: "Rate limits per tenant" });
const ended = aSession({
  id: sessionId(4),
  state: "COMPLETED",
  status: "ended",
});
const all = [asking, working, resting, ended];

test("[PAG-60] Home shows who needs somebody, who works and who rests", () => {
  assert.deepEqual(shown(listed(all)), [
    "Needs you (1)",
    "1",
    "Working (1)",
    "2",
    "Resting (2)",
    "3",
    "4",
  ]);
  assert.deepEqual(shown(listed([])), []);
});

test("[PAG-60] every session is in exactly one section", () => {
  const sessions = StateName.options.flatMap((state, i) => [
    aSession({ id: sessionId(2 * i + 1), state }),
    aSession({
      id: sessionId(2 * i + 2),
      state,
      pending_permissions: [aPermission()],
    }),
  ]);
  const keys = listed(sessions)
    .filter(({ kind }) => kind !== "head")
    .map(({ key }) => key);
  assert.deepEqual(keys.toSorted(), sessions.map(({ id }) => id).toSorted());
});

test("[PAG-61] it can be searched, and filtered by agent and state", () => {
  assert.deepEqual(shown(listed(all, { query: "tenant RATE" })), [
    "Resting (1)",
    "3",
  ]);
  assert.deepEqual(shown(listed(all, { agent: "codex" })), [
    "Working (1)",
    "2",
  ]);
  assert.deepEqual(shown(listed(all, { state: "ended" })), [
    "Resting (1)",
    "4",
  ]);
  assert.deepEqual(shown(listed(all, { state: "needs_you" })), [
    "Needs you (1)",
    "1",
  ]);
  assert.deepEqual(shown(listed(all, { query: "nothing like it" })), []);
});

test("[PAG-62] J and K go from row to row, over the headings, and stop at the ends", () => {
  const items = listed(all);
  assert.equal(neighbour(items, null, 1), sessionId(1));
  assert.equal(neighbour(items, sessionId(1), 1), sessionId(2));
  assert.equal(neighbour(items, sessionId(1), -1), sessionId(1));
  assert.equal(neighbour(items, sessionId(4), 1), sessionId(4));
  assert.equal(neighbour(items, null, -1), sessionId(4));
  assert.equal(neighbour(items, "gone", 1), sessionId(1));
  assert.equal(neighbour([], null, 1), null);
});

test("[PAG-63] a row says what is asked, by whom, and where", () => {
  const tool = {
    id: null,
    kind: "execute",
    title: null,
    command: "docker compose up -d minio",
    paths: [],
    diff: null,
    input: null,
  };
  const words = (different: Partial<Session>) => {
    const [first] = attention([aSession(different)], nothingSeen);
    assert.ok(first !== undefined);
    return askWords(first, "Claude Code", NOW);
  };
  assert.deepEqual(
    words({ pending_permissions: [aPermission({ tool }), aPermission()] }),
    {
      what: "Run",
      quoted: "docker compose up -d minio",
      where: "Claude Code asks, turn 7, and 1 more question",
    },
  );
  assert.deepEqual(
    words({
      unresolved_prompts: [
        {
          id: promptId(),
          session_id: sessionId(),
          turn: 4,
          state: "interrupted",
        },
      ],
    }),
    {
      what: "Turn 4 was cut off: the agent died",
      quoted: null,
      where: "Claude Code waits for your word",
    },
  );
  assert.deepEqual(
    words({
      state: "ERROR",
      error_message: "Gemini CLI is not logged in",
      queued_prompts: [aPrompt()],
    }),
    {
      what: "Gemini CLI is not logged in",
      quoted: null,
      where: "Claude Code, 1 prompt waits",
    },
  );
  assert.deepEqual(
    words({ created_at: at(1), last_words: "The guide is there." }),
    {
      what: "Finished: The guide is there.",
      quoted: null,
      where: "Claude Code, turn 7",
    },
  );
});

test("[PAG-63] a question is answered in the list only where all of it is in sight", () => {
  const tool = {
    id: null,
    kind: "execute",
    title: null,
    command: "ls",
    paths: [],
    diff: null,
    input: null,
  };
  const answerable = (more: object, session: Partial<Session> = {}) =>
    isAnswerable(
      aSession({
        pending_permissions: [aPermission({ tool: { ...tool, ...more } })],
        ...session,
      }),
    );
  assert.equal(answerable({}), true);
  assert.equal(answerable({ command: "x".repeat(121) }), false);
  assert.equal(answerable({ diff: "--- a" }), false);
  assert.equal(answerable({ shortened: ["command"] }), false);
  assert.equal(answerable({}, { shortened: ["pending_permissions"] }), false);
  assert.equal(isAnswerable(aSession()), false);
});
