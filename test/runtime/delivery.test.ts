import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError } from "../../src/contract/link/link-error.ts";
import type { LinkParams } from "../../src/contract/link/link.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, messagesOf, request, turnEnded, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

/** An agentctl that refuses prompts with these errors, one after the other, and then takes them. */
class Refusing extends FakePlace {
  readonly errors: Error[];

  constructor(...errors: Error[]) {
    super();
    this.errors = errors;
  }

  override async prompt(order: LinkParams<"prompt">): Promise<void> {
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    return super.prompt(order);
  }
}

const changedTo = (state: string) => (event: { type: string; data: object }) =>
  event.type === "session.state_changed" &&
  "to" in event.data &&
  event.data.to === state;

for (const [what, error] of [
  ["agentctl is away", new RepriseError("agentctl_unavailable", "away")],
  ["agentctl does not answer in time", new RepriseError("timed_out", "late")],
  ["its disk is full", new LinkError("storage_full", "full")],
  ["our disk is full", new RepriseError("storage_full", "full")],
] as const)
  test(`[SES-37] ${what}: the prompt is handed over when that has passed`, async () => {
    const place = new Refusing(error, error, error);
    const runtime = await house(fakeExecutors(place), { deliveryMs: 0 });
    const { id } = await runtime.operations.createSession(
      request({ prompt: "one" }),
    );
    await until(runtime, id, turnEnded(1));
    assert.deepEqual(place.errors, []);
    await runtime.close();
  });

for (const [what, error] of [
  ["agentctl cannot read it", new LinkError("invalid_params", "no prompt")],
  ["a string would be too long", new RangeError("Invalid string length")],
] as const)
  test(`[SES-37] [P10] ${what}: the session ends in ERROR with the reason, and its prompt waits`, async () => {
    const place = new Refusing(...Array.from({ length: 5 }, () => error));
    const runtime = await house(fakeExecutors(place), { deliveryMs: 0 });
    const { operations } = runtime;
    const { id } = await operations.createSession(request({ prompt: "one" }));
    await until(runtime, id, changedTo("ERROR"));
    const shown = await operations.showSession(id);
    assert.match(shown.error_message ?? "", new RegExp(error.message));
    assert.match(shown.error_message ?? "", /resume to try again/);
    assert.deepEqual(
      shown.queued_prompts.map(({ text }) => text),
      ["one"],
    );

    // Nothing is lost: once it can be delivered, a resume does it.
    place.errors.length = 0;
    await operations.resumeSession(id);
    await until(runtime, id, turnEnded(1));
    const said = await messagesOf(operations, id);
    assert.equal(said.filter(({ role }) => role === "user").length, 1);
    await runtime.close();
  });

test("[SES-37] [P10] a history that cannot be read is a reason too, and what waits for the disk is not given up", async () => {
  const store = memoryStore();
  const first = await house(fakeExecutors(new KeepingPlace()), { store });
  const { id } = await first.operations.createSession(
    request({ prompt: "one" }),
  );
  await until(first, id, turnEnded(1));
  await first.operations.handOffSession(id, { agent: "other" });
  await first.close();

  const failures: Error[] = [
    new RepriseError("storage_unavailable", "for a moment"),
    new RepriseError("storage_unavailable", "for a moment"),
    new RangeError("Invalid string length"),
  ];
  const next = await house(fakeExecutors(new KeepingPlace()), {
    store: {
      ...store,
      messageStarts: async (...asked) => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return store.messageStarts(...asked);
      },
    },
    deliveryMs: 0,
  });
  await next.operations.queuePrompt(id, { text: "two" });
  await until(next, id, changedTo("ERROR"));
  assert.deepEqual(failures, []);
  const { error_message } = await next.operations.showSession(id);
  assert.match(error_message ?? "", /Invalid string length/);
  await next.close();
});
