/** What an agent is told that is asked to go on with a turn that was cut short. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { PromptId, SessionId } from "../../src/contract/base/id.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { house, problems, promptsIn, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const GO_ON = "Look at what is already done and continue from there.";

const capturedAfter = (turn: number) => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn" &&
  event.data.checkpoint.turn === turn;

/** Prompts that say `die` are cut short. */
const stage = async () => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { onPrompt } = place;
  const dying = new Set<string>();
  place.onPrompt = (order, agent) => {
    const text = order.content.map((block) =>
      block.type === "text" ? block.text : "",
    );
    if (!text.some((each) => each.includes("die") || dying.has(each)))
      return onPrompt(order, agent);
    agent.die({ kind: "killed", signal: "SIGKILL" });
  };
  const { id } = await operations.createSession(request());
  await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
  let turns = 0;
  /** Until the turn is over and captured. */
  const over = () => until(runtime, id, capturedAfter((turns += 1)));
  const say = async (text: string): Promise<PromptId> => {
    const prompt = await operations.queuePrompt(id, { text });
    await over();
    return prompt.id;
  };
  const goOn = (prompt: PromptId) =>
    operations.resolvePrompt(id, prompt, { action: "continue" });
  const newest = async () => (await promptsIn(operations, id)).at(-1);
  return { id, runtime, operations, dying, over, say, goOn, newest };
};

/** The prompt that was queued in the place of another. */
const replacement = async (
  { operations }: Awaited<ReturnType<typeof stage>>,
  session: SessionId,
  prompt: PromptId,
): Promise<PromptId> => {
  const events = await operations.listEvents(session, 0, 1000);
  const by = events.flatMap((event) =>
    event.type === "session.prompt.resolved" && event.data.prompt_id === prompt
      ? [event.data.by]
      : [],
  )[0];
  assert.ok(by != null);
  return by;
};

test("[SES-66] the newest turn is continued without its text; of an earlier one the beginning of its prompt is told", async () => {
  const { runtime, over, say, goOn, newest } = await stage();
  const first = await say("build the boat\n  and die");
  await goOn(first);
  await over();
  assert.equal(await newest(), `Your previous turn was interrupted. ${GO_ON}`);

  const second = await say(`die ${"again ".repeat(100)}`);
  await say("what is the time?");
  await goOn(second);
  await over();
  const told = await newest();
  assert.match(
    told ?? "",
    /^Your turn for an earlier prompt was interrupted: “die again again .{150,190}…”\. Look at/,
  );
  await runtime.close();
});

test("[SES-66] a prompt that asked to go on stands for the one that was to be gone on with", async () => {
  const scene = await stage();
  const { id, runtime, dying, over, say, goOn, newest } = scene;
  const first = await say("build the boat and die");
  dying.add(`Your previous turn was interrupted. ${GO_ON}`);
  await goOn(first);
  await over();
  const second = await replacement(scene, id, first);
  await say("what is the time?");
  await goOn(second);
  await over();
  assert.equal(
    await newest(),
    `Your turn for an earlier prompt was interrupted: “build the boat and die”. ${GO_ON}`,
  );
  await runtime.close();
});

test("[SES-66] an agent that took the session over is not told that the turn was its own", async () => {
  const { id, runtime, operations, over, say, goOn, newest } = await stage();
  const prompt = await say("build the boat and die");
  await operations.handOffSession(id, { agent: "other" });
  await goOn(prompt);
  await over();
  assert.equal(
    await newest(),
    `The agent before you was interrupted in its turn for this prompt: “build the boat and die”. ${GO_ON}`,
  );
  await runtime.close();
});

test("[SES-66] a decision that was made already is not made again", async () => {
  const { runtime, over, say, goOn } = await stage();
  const prompt = await say("build the boat and die");
  await goOn(prompt);
  await over();
  await assert.rejects(goOn(prompt), { code: "wrong_state" });
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
