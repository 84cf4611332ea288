/** Which agent goes on when a quota is used up, and what its task is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "../../src/contract/agent/agent.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import type { Event } from "../../src/contract/event/event.ts";
import type { LinkParams } from "../../src/contract/link/link.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  problems,
  promptsIn,
  request,
  taskRequest,
  turnEnded,
  until,
} from "./house.ts";

const BEGUN = new Date("2026-01-01T00:00:00.000Z");
const FILLED = new Date("2026-01-01T05:00:00.000Z");

/** Several agents. The quota of `demo` is used up until `FILLED` when it gets its first prompt. */
class MixedPlace extends FakePlace {
  isUsedUp = true;
  override onPrompt: FakePlace["onPrompt"] = (order, agent) => {
    if (agent.order.definition.agent !== "demo" || !this.isUsedUp)
      return new FakePlace().onPrompt(order, agent);
    agent.speak(5, (range) => ({
      kind: "turn_ended",
      prompt_id: order.prompt_id,
      stop_reason: "error",
      usage: null,
      error: "429 quota exceeded",
      limit: { resets_at: FILLED.toISOString() },
      range,
    }));
  };

  override async agents({
    only,
    env,
    overrides,
  }: LinkParams<"agents">): Promise<AgentView[]> {
    const [demo] = await super.agents({ env, overrides });
    assert.ok(demo !== undefined);
    const all: AgentView[] = [
      demo,
      { ...demo, id: "absent", installed: false, install: "npm i absent" },
      { ...demo, id: "locked", login: "no" },
      { ...demo, id: "other", native_session_resume: false },
    ];
    return all.filter(({ id }) => only === undefined || id === only.id);
  }
}

const isHandedTo =
  (agent: string) =>
  (event: Event): boolean =>
    event.type === "session.handed_off" &&
    event.data.definition.agent === agent;

const passedOver = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.type === "session.quota.passed_over"
      ? [`${event.data.agent} ${event.data.code}`]
      : [],
  );

const ON_QUOTA = "handoff:absent,locked,other";

test("[SES-123] [SES-126] the first agent that is installed and logged in goes on, and the session goes back at the time", async () => {
  const store = memoryStore();
  const place = new MixedPlace();
  let now = BEGUN;
  const runtime = await house(fakeExecutors(place), { store, now: () => now });
  const { id } = await runtime.operations.createSession(
    request({ prompt: "work", on_quota: ON_QUOTA, checkpoints: false }),
  );
  const seen = await until(runtime, id, turnEnded(2));
  assert.deepEqual(passedOver(seen), [
    "absent agent_not_installed",
    "locked not_logged_in",
  ]);
  const standIn = await runtime.operations.showSession(id);
  assert.deepEqual(
    [standIn.agent, standIn.quota.stands_in_for, standIn.resume?.grade],
    ["other", "demo", "injected"],
  );
  const [, words = ""] = await promptsIn(runtime.operations, id);
  assert.match(words, /The agent before you was interrupted .*“work”/);
  await runtime.close();

  place.isUsedUp = false;
  now = FILLED;
  const next = await house(fakeExecutors(place), { store, now: () => now });
  await next.recovery.startup("startup");
  await until(next, id, isHandedTo("demo"));
  assert.equal((await next.operations.showSession(id)).agent, "demo");
  await next.close();
});

test("[SES-214] an agent that stands in has no profile, and none of its variables; the first agent gets both back", async () => {
  const store = memoryStore();
  const place = new MixedPlace();
  let now = BEGUN;
  const runtime = await house(fakeExecutors(place), {
    store,
    now: () => now,
    profiles: { work: { agent: "demo", env: { KEY: "WORK_KEY" } } },
    serverVariable: () => "w",
  });
  const { id } = await runtime.operations.createSession(
    request({
      agent_profile_id: "work",
      prompt: "work",
      on_quota: "handoff:other",
      checkpoints: false,
    }),
  );
  await until(runtime, id, turnEnded(2));
  const standIn = await runtime.operations.showSession(id);
  assert.deepEqual(
    [standIn.agent, standIn.agent_profile_id],
    ["other", "other"],
  );
  place.isUsedUp = false;
  now = FILLED;
  await runtime.operations.queuePrompt(id, { text: "more" });
  await until(runtime, id, turnEnded(3));
  assert.equal(
    (await runtime.operations.showSession(id)).agent_profile_id,
    "work",
  );
  assert.deepEqual(
    place.orders.map(({ env }) => env["KEY"]),
    ["w", undefined, "w"],
  );
  await runtime.close();
});

test("[SES-126] [SES-27] what was chosen for the first agent is not dropped: the session waits, and goes on when its quota is filled", async () => {
  const store = memoryStore();
  const place = new MixedPlace();
  let now = BEGUN;
  const runtime = await house(fakeExecutors(place), { store, now: () => now });
  const { id } = await runtime.operations.createSession(
    request({
      prompt: "work",
      settings: { careful: true },
      on_quota: "handoff:other",
      checkpoints: false,
    }),
  );
  const isPassed = ({ type }: Event) => type === "session.quota.passed_over";
  const seen = await until(runtime, id, isPassed);
  assert.deepEqual(passedOver(seen), ["other restriction_not_held"]);
  const waits = await runtime.operations.showSession(id);
  assert.equal(waits.agent, "demo");
  assert.equal(waits.quota.goes_on_at, FILLED.toISOString());
  place.isUsedUp = false;
  now = FILLED;
  await until(runtime, id, turnEnded(2));
  assert.equal((await runtime.operations.showSession(id)).agent, "demo");
  await runtime.close();
});

test("[TSK-65] [TSK-66] an attempt goes on with the agent that stands in", async () => {
  const place = new MixedPlace();
  const runtime = await house(fakeExecutors(place), { now: () => BEGUN });
  const { operations } = runtime;
  const task = await operations.createTask(
    taskRequest({
      agent: "demo",
      on_quota: "handoff:other",
      checkpoints: false,
      run: true,
    }),
  );
  const { state } = await eventually(
    () => operations.showTask(task.id),
    (each) => each.state !== "TODO" && each.state !== "IN_PROGRESS",
  );
  assert.equal(state, "REVIEW");
  const { attempts } = await operations.listAttempts(task.id);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ["succeeded"],
  );
  const session: SessionId | null | undefined = attempts[0]?.session_id;
  assert.ok(session != null);
  assert.equal((await operations.showSession(session)).agent, "other");
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
