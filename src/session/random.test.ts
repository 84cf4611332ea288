import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eventTypes } from "../contract/event/event.ts";
import { expected, rareSteps, steps } from "./fixtures/random-steps.ts";
import { checkInvariants } from "./invariants.ts";
import { Story } from "./testing.ts";

/** Events that no step here leads to, or only by luck. */
const rare = new Set<string>([
  "session.plan.updated",
  "session.usage",
  "session.agent.update",
  "session.history.injected",
  "session.permission.delivered",
  "session.forked",
  "session.imported",
]);

test("[SES-1] [SES-3] [SES-6] [SES-8] [SES-11] [SES-13] [SES-14] [SES-24] random stories keep every invariant", () => {
  const all = [...steps, ...rareSteps, expected];
  const reached = new Set<string>();
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.constant(all.length - 1) },
    { weight: 60, arbitrary: fc.nat(steps.length - 1) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: steps.length, max: all.length - 2 }),
    },
  );
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 10, maxLength: 80, size: "max" }),
      (sequence) => {
        const story = new Story({
          checkpoints: sequence.length % 2 === 0,
          ...(sequence.length % 3 === 0 && { on_quota: "handoff:a,b" }),
        });
        const commands: string[] = [];
        sequence.forEach((index, i) => {
          const next = all[index];
          if (next === undefined) return;
          const command = next(story, i + 1);
          commands.push(JSON.stringify(command));
          story.when(command);
          try {
            checkInvariants(story.events);
          } catch (error) {
            throw new Error(commands.join("\n"), { cause: error });
          }
        });
        for (const type of story.types()) reached.add(type);
      },
    ),
    { numRuns: 300, seed: Number(process.env["SEED"] ?? 1) },
  );
  const missed = eventTypes.filter(
    (type) => !reached.has(type) && !rare.has(type),
  );
  assert.deepEqual(missed, [], "the stories get far enough to mean something");
});
