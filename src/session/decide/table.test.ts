import assert from "node:assert/strict";
import { test } from "node:test";
import { keysOf } from "../../contract/base/keys-of.ts";
import { isTerminal, StateName } from "../../contract/session/state.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import type { CommandType } from "../state/command.ts";
import { commandsFor, PERMISSION } from "../fixtures/every-command.ts";
import { askItem, execution, prompt, Story } from "../testing.ts";

const PAUSE = { type: "session.pause", reason: "paused" } as const;
const plain = (): Story => new Story({ checkpoints: true });
const begun = (): Story => plain().captured(1).up();

/** One turn was cut off: its prompt waits for a decision. */
const cut = (): Story => begun().queue(1).deliver(1).die().captured(2);

/** Its agent is back and has to be told the history before the prompt that it works on. Another one waits. */
const undelivered = (): Story => {
  const story = cut().ask(2).begin();
  return story.ready({ opened: "new" }).ask(3);
};

/** The agent asks, and the workspace is to be captured on the way. */
const delivered = (): Story => {
  const story = undelivered().deliver(2).given({ type: "checkpoint.secure" });
  return story.report(askItem(PERMISSION, story.words(2)));
};

const created = (checkpoints: boolean): Story => {
  const story = new Story({ checkpoints });
  story.events.splice(1);
  return story;
};

/** A rewind is under way, and what was there before it is captured. */
const rewinding = (story: Story): Story =>
  story.given(commandsFor(story)["session.rewind"]).captured(3);

const failed = (story: Story): Story =>
  story.given(commandsFor(story)["execution.fail"]);

/** The agent that could not be started is still on its way out. */
const failing = (): Story =>
  plain().begin().report({
    kind: "start_failed",
    range: null,
    failure: "agent_not_answering",
    message: "No answer.",
  });

const endedAs = (outcome: "completed" | "cancelled" | "failed") => {
  const end = { type: "session.end", outcome, reason: "requested" } as const;
  return [
    () => delivered().given(end),
    () => begun().given(end).die([], { kind: "stopped" }),
    () => cut().given(end, { type: "session.delete" }),
  ];
};

/** Each state, with whatever makes a difference to a command. */
const stories: Readonly<Record<StateName, readonly (() => Story)[]>> = {
  CREATED: [() => created(true), () => created(false)],
  STARTING: [
    plain,
    () => plain().begin(),
    () => cut().ask(2),
    () => rewinding(cut()).ask(2),
  ],
  RUNNING: [undelivered, delivered],
  WAITING_FOR_INPUT: [
    begun,
    cut,
    () => begun().queue(1).deliver(1).endTurn(1),
    () => rewinding(cut()),
  ],
  PAUSED: [
    () => cut().given(PAUSE),
    () => begun().given(PAUSE).die([], { kind: "stopped" }),
    () => rewinding(cut().given(PAUSE)),
  ],
  ERROR: [
    failing,
    () => failed(plain()),
    () => failed(cut().ask(2)),
    () => rewinding(failed(cut().ask(2))),
  ],
  COMPLETED: endedAs("completed"),
  CANCELLED: endedAs("cancelled"),
  FAILED: endedAs("failed"),
};

/** What a command comes to in each story of a state: events, nothing, or the code of a refusal. */
const answersOf = (state: StateName, type: CommandType): string[] =>
  stories[state].map((make) => {
    const story = make();
    assert.equal(story.name, state);
    const before = story.events.length;
    const { decision } = story.when(commandsFor(story)[type]);
    if (decision.kind === "events" && decision.events.length > 0) {
      checkInvariants(story.events);
      return "events";
    }
    assert.equal(story.events.length, before);
    if (decision.kind === "events") return "nothing";
    assert.ok(decision.kind === "refused");
    assert.equal(decision.state, state, "a refusal names the state");
    assert.notEqual(decision.detail, "");
    return decision.code;
  });

const all: readonly StateName[] = StateName.options;
const ended: readonly StateName[] = all.filter(isTerminal);
const live = all.filter((state) => !isTerminal(state));
const liveBut = (...states: StateName[]): StateName[] =>
  live.filter((state) => !states.includes(state));
/** Those that may have an execution. */
const running = liveBut("CREATED", "PAUSED");
const rewound = liveBut("CREATED", "RUNNING");

/** What a person or a program asks for, and where it has an effect. */
const requests = {
  "prompt.queue": live,
  "prompt.cancel": ["STARTING", "RUNNING", "ERROR"],
  "prompt.resolve": liveBut("CREATED"),
  "turn.cancel": ["RUNNING"],
  "permission.answer": ["RUNNING"],
  "session.pause": liveBut("PAUSED", "ERROR"),
  "session.resume": liveBut("STARTING", "RUNNING"),
  "session.rewind": liveBut("STARTING", "RUNNING"),
  "session.handoff": liveBut("STARTING", "RUNNING"),
  "session.end": live,
} satisfies Partial<Record<CommandType, readonly StateName[]>>;

/** What is told of the world. */
const news = {
  "session.rest": ["WAITING_FOR_INPUT"],
  // None of these stories has one that waits.
  "change.keep": [],
  "agentctl.report": running,
  "execution.begin": ["STARTING"],
  "execution.fail": ["STARTING"],
  "execution.reattach": running,
  // The agent of an ended session may still be on its way out.
  "execution.report": [...running, ...ended],
  "execution.lose": [...running, ...ended],
  "delivery.fail": ["RUNNING"],
  "delivery.prepare": ["RUNNING"],
  "history.inject": ["RUNNING"],
  "workspace.share": live,
  "checkpoint.secure": ["RUNNING"],
  "checkpoint.report": all,
  "checkpoint.skip": all,
  "rewind.done": rewound,
  "rewind.fail": rewound,
} satisfies Partial<Record<CommandType, readonly StateName[]>>;

const effects: Readonly<Record<CommandType, readonly StateName[]>> = {
  ...requests,
  ...news,
  // What has ended can still be thrown away.
  "session.delete": [...liveBut("STARTING", "RUNNING"), ...ended],
  "session.undelete": ended,
  // A name, also of what has ended.
  "session.change": all,
};

for (const type of keysOf(effects))
  test(`[SES-2] ${type} has its effect where it can have one`, () => {
    assert.deepEqual(
      all.filter((state) => answersOf(state, type).includes("events")),
      effects[type],
    );
  });

/** The states in which a command is answered like this, whatever else is so. */
const always = (type: CommandType, answer: string): StateName[] =>
  all.filter((state) =>
    answersOf(state, type).every((each) => each === answer),
  );

test("[SES-2] what a person cannot ask for now is refused", () => {
  const refused = (type: CommandType) => always(type, "wrong_state");
  assert.deepEqual(refused("turn.cancel"), liveBut("RUNNING"));
  assert.deepEqual(refused("session.pause"), ["ERROR"]);
  const busy = ["STARTING", "RUNNING"];
  assert.deepEqual(refused("session.rewind"), busy);
  assert.deepEqual(refused("session.handoff"), busy);
  assert.deepEqual(refused("session.delete"), busy);
});

test("[SES-2] [SES-4] what has ended refuses every request", () => {
  for (const type of keysOf(requests))
    for (const state of all)
      for (const answer of answersOf(state, type))
        assert.equal(
          /^session_(ended|deleted)$/.test(answer),
          isTerminal(state),
          `${state} ${type}: ${answer}`,
        );
});

test("[SES-2] what the world tells is never refused", () => {
  for (const type of keysOf(news))
    for (const state of all)
      for (const answer of answersOf(state, type))
        assert.match(answer, /^(events|nothing)$/, `${state} ${type}`);
});

test("a session starts its agent at once and works on its first prompt", () => {
  const story = new Story({
    prompt: {
      prompt_id: prompt(1),
      content: [{ type: "text", text: "hello" }],
    },
  });
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
  story.begin();
  assert.deepEqual(intend(story.state), [
    { kind: "launch", execution_id: execution(1), epoch: 1 },
  ]);
  story.ready();
  assert.deepEqual(story.path(), ["STARTING", "WAITING_FOR_INPUT", "RUNNING"]);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["deliver"],
  );
  story.deliver(1).say("hi").say(" there").endTurn(1);
  story.thenEvents("session.turn.ended", {
    type: "session.state_changed",
    data: { to: "WAITING_FOR_INPUT" },
  });
  assert.equal(story.state.turns.over, 1);
  assert.equal(story.state.output.last_words, "hi there");
  assert.ok(!story.types().includes("session.resumed"));
  assert.deepEqual(intend(story.state), []);
});

test("[SES-4] an ended session refuses everything a caller asks, and its agent is stopped", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2);
  story
    .when({ type: "session.end", outcome: "cancelled", reason: "requested" })
    .thenEvents(
      "session.turn.interrupted",
      { type: "session.prompt.cancelled", data: { prompt_id: prompt(2) } },
      { type: "session.ended", data: { outcome: "cancelled" } },
      { type: "session.state_changed", data: { to: "CANCELLED" } },
      "session.execution.stopping",
    );
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(3),
      content: [{ type: "text", text: "x" }],
    })
    .thenRefused("session_ended")
    .when({ type: "session.resume", trigger: "request" })
    .thenRefused("session_ended")
    .die([], { kind: "stopped" })
    .thenEvents("session.execution.ended");
  assert.equal(story.name, "CANCELLED");
  assert.equal(story.state.execution, null);
});
