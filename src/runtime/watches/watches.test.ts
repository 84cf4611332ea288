/** What is done to a session after a while is done after that while, whatever the clock on the wall says. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Command } from "../../session/state/command.ts";
import type { State } from "../../session/state/state.ts";
import { Story } from "../../session/testing.ts";
import { watchIdle } from "./idle-watch.ts";
import { watchLimits } from "./limit-watch.ts";
import { watchLongTurns } from "./safety-watch.ts";
import { Shelf } from "../../journal/shelf.ts";
import { type Sessions, sessions } from "../sessions/session-journal.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const stage = (t: TestContext, state: State) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let passed = 0;
  let wall = Date.now();
  t.mock.method(performance, "now", () => passed);
  t.mock.method(Date, "now", () => wall);
  const shelf = new Shelf<Sessions>(sessions);
  shelf.put(state);
  const issued: string[] = [];
  const engine = {
    async issueIf(
      _: State["id"],
      holds: (state: State) => boolean,
      command: Command,
    ) {
      if (holds(state)) issued.push(command.type);
      return true;
    },
  };
  const log = { info() {}, warn() {}, error() {} };
  return {
    parts: { engine, shelf, log },
    issued,
    pass(ms: number) {
      passed += ms;
      t.mock.timers.tick(5000);
    },
    setClock(by: number) {
      wall += by;
      t.mock.timers.tick(5000);
    },
  };
};

for (const by of [DAY, -DAY]) {
  const way = by > 0 ? "ahead" : "back";
  test(`[REC-39] an idle session is paused after its time, also when the clock is set ${way}`, async (t) => {
    const { parts, issued, pass, setClock } = stage(t, new Story().up().state);
    const watch = watchIdle(parts, 30);
    pass(0);
    setClock(by);
    pass(29 * MINUTE);
    assert.deepEqual(issued, []);
    pass(MINUTE);
    assert.deepEqual(issued, ["session.rest"]);
    watch.close();
  });

  test(`[REC-39] [CPT-16] a long turn is captured after its time, also when the clock is set ${way}`, async (t) => {
    const story = new Story({ checkpoints: true }).up().captured(1);
    story.queue(1).deliver(1);
    const { parts, issued, pass, setClock } = stage(t, story.state);
    const watch = watchLongTurns(parts, 5 * MINUTE);
    pass(0);
    setClock(by);
    pass(4 * MINUTE);
    assert.deepEqual(issued, []);
    pass(MINUTE);
    assert.deepEqual(issued, ["checkpoint.secure"]);
    watch.close();
  });
}

test("[SES-107] a turn that is beyond its time is ordered to be held once, until something has come of it", async (t) => {
  const story = new Story({ budget: { minutes: 1 } }).up().queue(1).deliver(1);
  const { parts, issued } = stage(t, story.state);
  let now = Date.parse(story.state.times.newest_at);
  const watch = watchLimits({ ...parts, clock: { now: () => new Date(now) } });
  t.mock.timers.tick(3000);
  assert.deepEqual(issued, []);
  now += 2 * MINUTE;
  t.mock.timers.tick(5000);
  assert.deepEqual(issued, ["turn.hold"]);
  parts.shelf.put(story.say("still here").state);
  now += MINUTE;
  t.mock.timers.tick(5000);
  assert.deepEqual(issued, ["turn.hold", "turn.hold"]);
  watch.close();
});
