import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../src/contract/base/content.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import type { LinkParams } from "../../src/contract/link/link.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { house, type House, request, turnEnded, until } from "./house.ts";

/** An agentctl whose disk is full when it is given the first prompt. */
class FullOnce extends FakePlace {
  #isFull = true;

  override async prompt(order: LinkParams<"prompt">): Promise<void> {
    if (this.#isFull) {
      this.#isFull = false;
      throw new LinkError("storage_full", "full");
    }
    return super.prompt(order);
  }
}

const preparedIn = async ({ operations }: House, id: SessionId) =>
  (await operations.listEvents(id, 0, 1000)).flatMap((event) =>
    event.type === "session.prompt.prepared" ? [event.data] : [],
  );

test("[SES-50] what an agent gets instead of what was queued is in the journal as it got it, once however often it is handed over", async () => {
  const place = new FullOnce();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(
    request({
      prompt: "first",
      instructions: "Answer in Latin.",
      disallowed_tools: ["Bash"],
    }),
  );
  await until(runtime, id, turnEnded(1));
  await operations.queuePrompt(id, { text: "second" });
  await until(runtime, id, turnEnded(2));

  const [first, second] = place.prompts;
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual(await preparedIn(runtime, id), [
    {
      prompt_id: first.prompt_id,
      text: textOf(first.content),
      instructions: true,
      restrictions: true,
    },
  ]);
  assert.match(textOf(first.content), /Latin.*tools: Bash.*\nfirst$/s);
  assert.equal(textOf(second.content), "second");

  const told = (await operations.listEvents(id, 0, 1000)).flatMap((event) =>
    event.type === "session.prompt.delivered" ? [event.data.restrictions] : [],
  );
  const limits = { allowed: null, disallowed: 1 };
  assert.deepEqual(told, [
    { ...limits, told: true },
    { ...limits, told: false },
  ]);
  await runtime.close();
});

test("[SES-50] what goes to the agent as it was queued is not recorded twice", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { id } = await runtime.operations.createSession(
    request({ prompt: "first" }),
  );
  await until(runtime, id, turnEnded(1));
  assert.deepEqual(await preparedIn(runtime, id), []);
  await runtime.close();
});
