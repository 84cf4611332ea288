import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../contract/session/session.ts";
import {
  PERMISSION,
  PROMPT,
  SESSION,
  sampleSession,
} from "../fixtures/sample.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { palette } from "../terminal/palette.ts";
import { sessionCard } from "./session-card.ts";
import { sessionTable } from "./session-row.ts";

const now = new Date("2026-03-01T12:03:00.000Z");
const shown = (different: Partial<Session>, columns: number | null): string =>
  sessionTable(
    [sampleSession(different)],
    {
      write: () => undefined,
      drained: async () => undefined,
      isTerminal: columns !== null,
      columns,
      palette: palette(false),
    },
    now,
  );
const last = (different: Partial<Session>, columns: number | null = null) =>
  shown(different, columns).trimEnd().split("\n").at(-1) ?? "";

test("[PAG-373] a session is called cut off where its last turn was and nobody continues it", () => {
  const cut = { id: PROMPT, session_id: SESSION, turn: 1 };
  const about = (state: "interrupted" | "uncertain") =>
    last({ unresolved_prompts: [{ ...cut, state }], name: "try" });
  assert.match(about("interrupted"), /3 min {3}cut off, 1 to decide: try$/);
  assert.match(about("uncertain"), /3 min {3}1 to decide: try$/);
  const goes_on = { at: null };
  assert.doesNotMatch(
    last({
      unresolved_prompts: [{ ...cut, state: "interrupted", goes_on }],
      name: "try",
    }),
    /cut off/,
  );
});

test("what waits for the user stands in the list", () => {
  const unresolved_prompts = [
    { id: PROMPT, session_id: SESSION, turn: 1, state: "interrupted" as const },
  ];
  assert.match(
    last({ unresolved_prompts, is_agent_running: false, name: "try" }),
    /WAITING_FOR_INPUT {2}demo \(gone\) {2}3 min {3}cut off, 1 to decide: try$/,
  );
  assert.match(
    last({ unresolved_prompts, name: null, last_words: null }),
    /3 min {3}cut off, 1 to decide$/,
    "nothing follows where there is no name",
  );
  assert.doesNotMatch(
    last({ unresolved_prompts, turn_count: 2, name: "try" }),
    /to decide/,
    "[API-151] a later turn is over",
  );
  assert.doesNotMatch(
    last({ unresolved_prompts, state: "COMPLETED", name: "try" }),
    /to decide/,
    "[API-151] it has ended",
  );
  const question = {
    id: PERMISSION,
    turn: 1,
    title: "May I?",
    tool_kind: null,
    options: [],
    state: "pending" as const,
  };
  assert.match(last({ pending_permissions: [question] }), /asks: May I\?$/);
  assert.match(last({ damaged_from: 12, name: "try" }), /damaged: try$/);
  assert.match(
    last({ is_agent_running: false, state: "PAUSED" }),
    /PAUSED {2}demo {3}3 min$/,
  );
});

test("[SES-165] a turn that goes on by itself waits for nobody, in the list and on the card", () => {
  const cut = {
    id: PROMPT,
    session_id: SESSION,
    turn: 1,
    state: "interrupted" as const,
  };
  const { world } = memoryWorld();
  for (const at of [null, "2026-03-01T12:05:00.000Z"]) {
    const unresolved_prompts = [{ ...cut, goes_on: { at } }];
    const different = { unresolved_prompts, is_agent_running: false };
    assert.doesNotMatch(last(different), /to decide|gone/);
    const card = sessionCard(
      sampleSession(different),
      { checkpoints: [], bytes: null },
      world,
      now,
    );
    assert.match(
      card,
      new RegExp(`interrupted +${PROMPT} goes on by itself$`, "m"),
    );
    assert.doesNotMatch(card, /decide|session resolve/);
  }
});

test("[API-139] an agent that is not running is called gone where it took a turn with it, and nowhere else", () => {
  const idle = { is_agent_running: false, name: "try" };
  assert.match(last(idle), /WAITING_FOR_INPUT {2}demo {3}3 min {3}try$/);
  assert.match(
    shown(idle, 60),
    /WAITING_FOR_INPUT\n {2}demo, 3 min/,
    "in a narrow terminal too",
  );
  const cut = {
    id: PROMPT,
    session_id: SESSION,
    turn: 1,
    state: "interrupted" as const,
  };
  assert.match(last({ ...idle, unresolved_prompts: [cut] }), /demo \(gone\)/);
  assert.doesNotMatch(
    last({ ...idle, unresolved_prompts: [cut], turn_count: 2 }),
    /gone/,
    "the work went on with another",
  );
});

test("[LNK-24] a session that failed says why, from the beginning", () => {
  const failed = {
    state: "ERROR" as const,
    is_agent_running: false,
    error_message: "The agent wants a login. Log in, then resume the session.",
    last_words: "All is done.",
  };
  assert.match(last(failed), /ERROR .* The agent wants a login\. Log in, /);
  assert.match(last(failed, 80), / {2}The agent wants .*…$/);
  assert.match(last({ ...failed, name: "try" }), / {2}try$/);
});

test("of what was said last the end is shown, from a whole word on", () => {
  const long = `${"word ".repeat(31)}done.`;
  assert.equal(long.length, 160);
  assert.match(last({ last_words: long }), / {2}…word word .* done\.$/);
  assert.match(last({ last_words: "All is done." }), / {2}All is done\.$/);
  assert.match(
    last({ last_words: "one two three four five six" }, 85),
    / {2}…\S.* six$/,
  );
  assert.match(
    last({ name: "one two three four five six" }, 85),
    / {2}one two .*…$/,
  );
});

test("in a narrow terminal the id stays whole and what was said last is there", () => {
  assert.equal(
    shown({ last_words: "All is done." }, 60),
    `${SESSION}  WAITING_FOR_INPUT\n  demo, 3 min  All is done.\n`,
  );
});

test("[API-153] [API-139] show says whether the agent is being started, and when it will be", () => {
  const state = (different: Partial<Session>): string => {
    const { world } = memoryWorld();
    const kept = { checkpoints: [], bytes: null };
    const card = sessionCard(sampleSession(different), kept, world, now);
    return /^ {2}state +(.*)$/m.exec(card)?.[1] ?? "";
  };
  const is_agent_running = false;
  assert.equal(state({}), "WAITING_FOR_INPUT, the agent is running");
  assert.equal(
    state({ is_agent_running }),
    "WAITING_FOR_INPUT, the agent is not running; the next prompt starts it",
  );
  assert.match(
    state({ is_agent_running, state: "STARTING" }),
    /^STARTING, the agent is being started; .* downloaded first/,
  );
  assert.equal(
    state({ is_agent_running, state: "COMPLETED" }),
    "COMPLETED, the agent is not running",
  );
});
