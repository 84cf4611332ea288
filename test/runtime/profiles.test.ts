/** Sessions that name a profile: what is made of it, and when its variables are read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../../src/contract/api/config.ts";
import { HandoffRequest } from "../../src/contract/api/request.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import type { Event } from "../../src/contract/event/event.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, turnEnded, until } from "./house.ts";

class TwoAgents extends FakePlace {
  override async agents({
    only,
    ...order
  }: Parameters<FakePlace["agents"]>[0]): ReturnType<FakePlace["agents"]> {
    const [demo] = await super.agents(order);
    assert.ok(demo !== undefined);
    return [demo, { ...demo, id: "claude" }].filter(
      ({ id }) => only === undefined || id === only.id,
    );
  }
}

const profilesOf = (profiles: object) => Config.parse({ profiles }).profiles;

const work = {
  agent: "demo",
  model: "m-1",
  mode: "read-only",
  options: { speed: "slow", depth: "2" },
  on_interrupt: "continue",
  budget: { turns: 3 },
  home: "session",
  disallowed_tools: ["WebFetch"],
  env: { KEY: { from: "WORK_KEY" }, REGION: { from: "REGION" } },
};

/** A server, and what its own environment holds. */
const scene = async (
  profiles: object = { work },
  variables: Record<string, string> = { WORK_KEY: "w-1", REGION: "eu" },
) => {
  const place = new TwoAgents();
  const store = memoryStore();
  const start = (more: { profiles?: object } = {}) =>
    house(fakeExecutors(place), {
      store,
      profiles: profilesOf(more.profiles ?? profiles),
      serverVariable: (name) => variables[name],
    });
  const runtime = await start();
  return { place, store, runtime, variables, start, ...runtime };
};

test("[SBX-2] a session is not handed to a profile whose sandbox it does not have", async () => {
  const sandbox = { network: "off" };
  const boxed = { agent: "claude", sandbox };
  const { operations, runtime, close } = await scene({ boxed });
  const { id } = await operations.createSession(request({ prompt: "one" }));
  await until(runtime, id, turnEnded(1));
  await assert.rejects(
    operations.handOffSession(
      id,
      HandoffRequest.parse({ agent_profile_id: "boxed" }),
    ),
    { code: "restriction_not_held", message: /Start a new session/ },
  );
  const { agent, definition } = await operations.showSession(id);
  assert.deepEqual([agent, definition.sandbox], ["demo", undefined]);
  await close();
});

const lastOrder = ({ orders }: FakePlace) => {
  const order = orders.at(-1);
  assert.ok(order !== undefined);
  return order;
};

const inError = ({ type, data }: Event): boolean =>
  type === "session.state_changed" && data.to === "ERROR";

test("[SES-210] what a profile says is what the session is, and what the request says wins", async () => {
  const { operations, place, runtime, close } = await scene();
  const plain = await operations.createSession(
    request({ agent_profile_id: "work", prompt: "hello" }),
  );
  assert.equal(plain.agent_profile_id, "work");
  assert.equal(plain.on_interrupt, "continue");
  assert.deepEqual(plain.budget?.limits, { turns: 3 });
  assert.deepEqual(plain.definition, {
    agent: "demo",
    home: "session",
    model: "m-1",
    mode: "read-only",
    options: { speed: "slow", depth: "2" },
    disallowed_tools: ["WebFetch"],
    env_names: [],
    profile: "work",
    env_from: { KEY: "WORK_KEY", REGION: "REGION" },
  });
  await until(runtime, plain.id, turnEnded(1));
  const { env, definition } = lastOrder(place);
  assert.equal(definition.model, "m-1");
  assert.deepEqual([env["KEY"], env["REGION"]], ["w-1", "eu"]);

  const said = await operations.createSession(
    request({
      agent: "demo",
      agent_profile_id: "work",
      model: "m-2",
      options: { depth: "9" },
      on_interrupt: "wait",
      home: "user",
      disallowed_tools: [],
      env: { KEY: "mine" },
      prompt: "hello",
    }),
  );
  const { definition: made } = said;
  assert.deepEqual(
    [
      made.model,
      made.mode,
      made.home,
      made.disallowed_tools,
      said.on_interrupt,
    ],
    ["m-2", "read-only", "user", [], "wait"],
  );
  assert.deepEqual(made.options, { speed: "slow", depth: "9" });
  assert.deepEqual(made.env_from, { REGION: "REGION" });
  await until(runtime, said.id, turnEnded(1));
  assert.equal(lastOrder(place).env["KEY"], "mine");
  await close();
});

test("[SES-210] [API-216] the id of an agent is a profile; another agent than the profile's is refused, and so is a profile that nobody knows", async () => {
  const { operations, close } = await scene();
  const create = (given: object) => operations.createSession(request(given));
  const { definition, ...session } = await create({
    agent_profile_id: "claude",
  });
  assert.deepEqual(
    [session.agent, session.agent_profile_id, definition.profile],
    ["claude", "claude", undefined],
  );
  assert.equal((await create({})).agent_profile_id, "demo");
  await assert.rejects(create({ agent: "claude", agent_profile_id: "work" }), {
    code: "invalid_request",
    message: /work is one of demo, not of claude/,
  });
  await assert.rejects(create({ agent_profile_id: "wrok" }), {
    code: "unknown_profile",
    message: /no profile wrok\. Did you mean work\? Known here: work;/,
  });
  await close();
});

test("[SES-211] [SES-212] a session keeps what its profile said; variables are read at each start, and no value of them is kept", async () => {
  const { operations, place, store, runtime, variables, start, close } =
    await scene();
  const { id } = await operations.createSession(
    request({
      agent_profile_id: "work",
      prompt: "one",
      caller_env: { KEY: "the caller's" },
    }),
  );
  await until(runtime, id, turnEnded(1));
  assert.equal(lastOrder(place).env["KEY"], "w-1");
  await operations.pauseSession(id);
  await close();

  variables["WORK_KEY"] = "w-2";
  const second = await start({ profiles: {} });
  await second.operations.resumeSession(id, { caller_env: { KEY: "hers" } });
  const { env, definition } = lastOrder(place);
  assert.deepEqual([env["KEY"], definition.model], ["w-2", "m-1"]);
  const session = await second.operations.showSession(id);
  assert.equal(session.agent_profile_id, "work");
  assert.equal(
    (await second.operations.sessionStatus(id)).agent_profile_id,
    "work",
  );
  const kept = JSON.stringify([
    await store.events(id, 0, 1000),
    await store.env(id),
    session,
  ]);
  assert.doesNotMatch(kept, /w-1|w-2|"eu"/);
  assert.match(kept, /WORK_KEY/);
  await second.close();
});

test("[SES-211] a fork has the profile of its parent", async () => {
  const { operations, place, runtime, close } = await scene({
    plain: { agent: "demo", env: ["REGION"] },
  });
  const { id } = await operations.createSession(
    request({ agent_profile_id: "plain", prompt: "one" }),
  );
  await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
  const fork = await operations.forkSession(id, {});
  assert.equal(fork.agent_profile_id, "plain");
  await operations.queuePrompt(fork.id, { text: "two" });
  await until(runtime, fork.id, turnEnded(1));
  assert.equal(lastOrder(place).env["REGION"], "eu");
  await close();
});

test("[SES-212] the variables of a profile are nobody's credentials: all who ask share one agent", async () => {
  const { operations, place, runtime, close } = await scene();
  const { id } = await operations.createSession(
    request({
      agent_profile_id: "work",
      prompt: "a",
      caller_env: { KEY: "A" },
    }),
  );
  await until(runtime, id, turnEnded(1));
  await operations.queuePrompt(id, { text: "b", caller_env: { KEY: "B" } });
  const seen = await until(runtime, id, turnEnded(2));
  assert.equal(place.orders.length, 1);
  assert.ok(
    !seen.some(
      ({ type, data }) =>
        type === "session.notice" && data.code === "credentials_changed",
    ),
  );
  await close();
});

test("[SES-213] without a variable that the profile names no session is made, and no agent is started later", async () => {
  const { operations, place, runtime, variables, close } = await scene();
  const { id } = await operations.createSession(
    request({ agent_profile_id: "work", prompt: "one" }),
  );
  await until(runtime, id, turnEnded(1));
  await operations.pauseSession(id);
  delete variables["WORK_KEY"];
  await assert.rejects(
    operations.createSession(request({ agent_profile_id: "work" })),
    { code: "variable_missing", message: /work takes WORK_KEY from/ },
  );
  await assert.rejects(operations.resumeSession(id), {
    message: /WORK_KEY/,
  });
  const { last_seq } = await operations.showSession(id);
  await operations.queuePrompt(id, { text: "two" });
  await until(runtime, id, inError, last_seq);
  const stopped = await operations.showSession(id);
  assert.equal(stopped.state, "ERROR");
  assert.equal(stopped.queued_prompts.length, 1);
  assert.equal(place.orders.length, 1);
  assert.ok(
    !(await operations.listEvents(id, 0, 1000)).some(
      ({ type }) => type === "session.agentctl_error",
    ),
  );

  variables["WORK_KEY"] = "back";
  await operations.resumeSession(id);
  await until(runtime, id, turnEnded(2));
  assert.equal(lastOrder(place).env["KEY"], "back");
  await close();
});

test("[SES-214] a handoff to a profile takes what that says, and drops nothing unsaid; the variables of the one before go", async () => {
  const { operations, place, runtime, close } = await scene({
    work: { agent: "demo", model: "m-1", env: { KEY: { from: "WORK_KEY" } } },
    other: {
      agent: "claude",
      model: "big",
      permissions: "allow-read",
      instructions: "Be brief.",
      env: ["REGION"],
    },
    bare: { agent: "claude" },
  });
  const begun = async (): Promise<SessionId> => {
    const { id } = await operations.createSession(
      request({ agent_profile_id: "work", prompt: "one" }),
    );
    await until(runtime, id, turnEnded(1));
    return id;
  };
  const handOff = (id: SessionId, given: object) =>
    operations.handOffSession(id, HandoffRequest.parse(given));
  const id = await begun();
  await assert.rejects(handOff(id, { agent_profile_id: "bare" }), {
    code: "restriction_not_held",
  });
  await handOff(id, { agent_profile_id: "other" });
  const { definition, ...session } = await operations.showSession(id);
  assert.deepEqual(
    [session.agent, session.agent_profile_id, definition.model],
    ["claude", "other", "big"],
  );
  assert.equal(definition.permissions?.default, "allow-read");
  assert.equal(definition.instructions, "Be brief.");
  await operations.queuePrompt(id, { text: "two" });
  await until(runtime, id, turnEnded(2));
  const { env } = lastOrder(place);
  assert.deepEqual([env["KEY"], env["REGION"]], [undefined, "eu"]);

  const said = await begun();
  await handOff(said, { agent_profile_id: "other", without: ["model"] });
  const after = await operations.showSession(said);
  assert.equal(after.definition.model, undefined);
  await operations.queuePrompt(said, { text: "two" });
  await until(runtime, said, turnEnded(2));
  await handOff(said, { agent: "demo" });
  const back = await operations.showSession(said);
  assert.deepEqual(
    [back.agent_profile_id, back.definition.env_from],
    ["demo", undefined],
  );
  await close();
});

test("[API-218] the same key and request is the same session, whatever became of the profile", async () => {
  const { operations, start, close } = await scene();
  const asked = request({ agent_profile_id: "work" });
  const { id } = await operations.createSession(asked, "k");
  await close();
  const second = await start({ profiles: {} });
  assert.equal((await second.operations.createSession(asked, "k")).id, id);
  // A key from before requests could name a profile.
  const plain = await second.operations.createSession(request({}), "p");
  const full = { agent: "demo", executor: "standalone", on_interrupt: "wait" };
  assert.equal(
    (await second.operations.createSession(request(full), "p")).id,
    plain.id,
  );
  await second.close();
});
