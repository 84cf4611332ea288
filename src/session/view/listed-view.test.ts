import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../contract/session/session.ts";
import { permissionId } from "../../contract/base/id.ts";
import { listedViewOf } from "./listed-view.ts";
import type { State } from "../state/state.ts";
import { askItem, prompt, Story } from "../testing.ts";
import { viewOf } from "./view.ts";

/** In characters: the longest that a path, a name and the rest can add is in it. */
const MAX_ROW = 64 * 1024;

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

test("[API-105] a list shows a session as it is while nothing in it is long", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2).queue(3);
  story.report(askItem(permissionId(1, 10), story.words(2)));
  assert.deepEqual(listedViewOf(story.state), viewOf(story.state));
});

test("[API-105] [STO-9] of what is long a list shows the beginning and says so, and the row stays small", () => {
  const state = loaded();
  const full = viewOf(state);
  assert.ok(sizeOf(full) > 20 * MAX_ROW);
  const listed = listedViewOf(state);
  assert.ok(sizeOf(listed) <= MAX_ROW, `${sizeOf(listed)} characters`);
  assert.deepEqual(Session.parse(listed), listed);
  assert.deepEqual(listed.shortened, [
    "definition",
    "queued_prompts",
    "pending_permissions",
    "unresolved_prompts",
    "error_message",
  ]);
  const [first] = listed.queued_prompts;
  assert.equal(first?.text, full.queued_prompts[0]?.text.slice(0, 200));
  assert.equal(listed.definition.model, full.definition.model);
  assert.equal(listed.definition.instructions, "i".repeat(200));
  assert.ok(!("settings" in listed.definition));
  assert.ok(listed.pending_permissions.length >= 5);
  const { definition, queued_prompts, ...rest } = full;
  for (const name of ["id", "cwd", "state", "turn_count", "usage"] as const)
    assert.deepEqual(listed[name], rest[name]);
  assert.ok(definition !== undefined && queued_prompts.length === 100);
});

/** A session with as much of everything as it may have. */
const loaded = (): State => {
  const { state } = new Story().up();
  const options = Array.from({ length: 50 }, (_, n) => ({
    id: `option ${n}`,
    name: "n".repeat(100),
    kind: "allow_once",
  }));
  return {
    ...state,
    workspace: { ...state.workspace, cwd: "/".padEnd(4096, "d") },
    created: { ...state.created, name: "n".repeat(200) },
    agent: {
      ...state.agent,
      definition: {
        ...state.agent.definition,
        model: "m",
        instructions: "i".repeat(100_000),
        settings: { long: "s".repeat(1_000_000) },
        allowed_tools: Array.from({ length: 500 }, () => "t".repeat(200)),
        env_names: Array.from({ length: 5000 }, (_, n) => `NAME_${n}`),
      },
    },
    lifecycle: {
      name: "ERROR",
      message: "\u0001".repeat(5000),
    },
    prompts: {
      ...state.prompts,
      queue: Array.from({ length: 100 }, (_, n) => ({
        id: prompt(n),
        content: [{ type: "text", text: `${n} ${"words ".repeat(10_000)}` }],
        about_seq: 1,
        content_seq: n + 1,
        bytes: 60_000,
        turn: null,
        returned: 0,
        tool_calls: 0,
        limits: {
          allowed_tools: Array.from({ length: 500 }, () => "t".repeat(200)),
        },
      })),
      unresolved: Array.from({ length: 100 }, (_, n) => ({
        id: prompt(n),
        turn: n,
        kind: "interrupted",
        text: "go",
        why: { code: null, reason: "It was.", ending: null },
        by_quota: false,
        content_seq: n,
        about_seq: n,
        agent: "demo",
        tool_calls: 0,
        not_before: null,
      })),
    },
    permissions: {
      ...state.permissions,
      pending: Array.from({ length: 100 }, (_, n) => ({
        id: permissionId(1, n),
        turn: 1,
        title: "t".repeat(10_000),
        tool_kind: "k".repeat(1000),
        tool_name: "n".repeat(1000),
        tool: {
          id: "i".repeat(1000),
          kind: "k".repeat(1000),
          title: "t".repeat(2000),
          command: "c".repeat(8000),
          paths: Array.from({ length: 50 }, () => "p".repeat(1000)),
          diff: "d".repeat(16_000),
          input: "i".repeat(4000),
        },
        options,
        state: "pending",
      })),
    },
  };
};
