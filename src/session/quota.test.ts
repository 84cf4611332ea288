/** Random stories about quotas that are used up and filled again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EventOf } from "../contract/event/event.ts";
import { laterBy } from "../kit/time/elapsed.ts";
import { intend } from "./intend.ts";
import { checkInvariants } from "./invariants.ts";
import { handOverOf } from "./state/quota/hand-over.ts";
import { abilities, prompt, Story } from "./testing.ts";

const content = [{ type: "text" as const, text: "go on" }];

const handOver = (story: Story, n: number): void => {
  const due = handOverOf(story.state);
  assert.ok(due !== null);
  const { to, prompt_id } = due;
  story.given({
    type: "quota.hand_over",
    to,
    prompt_id,
    by: prompt_id === null ? null : { prompt_id: prompt(n), content },
    definition: { ...story.state.agent.definition, agent: to },
    abilities: abilities({ resume: false, load: false }),
  });
  if (story.state.execution !== null) story.die([], { kind: "stopped" });
};

const passOver = (story: Story, agent: string): void =>
  void story.given({
    type: "quota.pass_over",
    agent,
    code: "agent_not_installed",
    message: "not installed",
  });

const inAWhile = (story: Story, ms: number): string =>
  laterBy(story.state.times.newest_at, ms);

/** What may happen next in a story about quotas: everything that is intended is done, and agents run out at random. */
const play = (story: Story, choices: readonly number[]): void => {
  let n = 1;
  const ask = () => story.ask((n += 1));
  ask();
  for (const choice of choices) {
    const [intent] = intend(story.state);
    const running = story.state.lifecycle;
    if (intent?.kind === "hand_over") {
      if (choice % 4 === 0) passOver(story, intent.to);
      else handOver(story, (n += 1));
    } else if (intent?.kind === "continue")
      story.given({
        type: "prompt.resolve",
        prompt_id: intent.prompt_id,
        action: "continue",
        by: {
          prompt_id: prompt((n += 1)),
          content: [{ type: "text", text: "go on" }],
        },
        unasked: true,
      });
    else if (intent?.kind === "begin") story.begin();
    else if (intent?.kind === "launch") story.ready();
    else if (intent?.kind === "deliver" && running.name === "RUNNING")
      story.report({
        kind: "prompt_delivered",
        range: null,
        prompt_id: running.turn.prompt_id,
      });
    else if (running.name === "RUNNING")
      story.report({
        kind: "turn_ended",
        prompt_id: running.turn.prompt_id,
        stop_reason: choice % 2 === 0 ? "end_turn" : "error",
        usage: null,
        error: null,
        range: story.words(3),
        ...(choice % 2 === 1 && {
          limit: { resets_at: inAWhile(story, choice * 1000) },
        }),
      });
    else if (choice % 3 === 0) ask();
    else story.pass(choice).given({ type: "quota.look" });
    checkInvariants(story.events);
  }
};

test("[SES-131] whatever runs out when, every prompt that a quota cut off is continued exactly once, and hand-overs do not race", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { minLength: 20, maxLength: 90, size: "max" }),
      (choices) => {
        const story = new Story({ on_quota: "handoff:a,b" });
        play(story, choices);
        const of = <
          T extends EventOf<
            | "session.turn.interrupted"
            | "session.prompt.resolved"
            | "session.handed_off"
          >["type"],
        >(
          type: T,
        ) =>
          story.events.filter(
            (event): event is EventOf<T> => event.type === type,
          );
        const cuts = of("session.turn.interrupted").map(
          ({ data }) => data.prompt_id,
        );
        const continued = of("session.prompt.resolved").map(
          ({ data }) => data.prompt_id,
        );
        const waiting = story.state.prompts.unresolved.map(({ id }) => id);
        assert.deepEqual([...continued, ...waiting], cuts);
        assert.ok(waiting.length <= 1);
        // Each hand-over needs a quota that ran out, or one that was filled again.
        const filled = story.events.filter(
          ({ type }) => type === "session.quota.filled",
        );
        assert.ok(
          of("session.handed_off").length <= cuts.length + filled.length,
        );
      },
    ),
    { numRuns: 150, seed: Number(process.env["SEED"] ?? 1) },
  );
});
