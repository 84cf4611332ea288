/** The list of races, as the runtime has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, id } from "./house.ts";

const shape = {
  prompt: "digest",
  agents: ["demo", "other"],
  repository: "/work",
  session: null,
  permissions: null,
};

test("[RAC-20] [STO-100] races are listed with their runs, the newest first, and no session is read", async () => {
  const store = memoryStore();
  let looks = 0;
  const runtime = await house(fakeExecutors(new FakePlace()), {
    store: {
      ...store,
      session: (session) => {
        looks += 1;
        return store.session(session);
      },
      sessions: (filter) => {
        looks += 1;
        return store.sessions(filter);
      },
    },
  });
  const { operations } = runtime;
  const session = id("ses");
  for (const name of ["old", "mid", "new"])
    await operations.agree(`race.${name}`, JSON.stringify(shape));
  await operations.agree("race.no-race", "something else");
  await operations.agree("race-run.2.mid", session);
  await operations.agree("race-kept.mid", "2");
  looks = 0;
  const first = await operations.listRaces({ limit: 3 });
  assert.deepEqual(
    first.races.map(({ name }) => name),
    ["new", "mid"],
  );
  assert.deepEqual(first.races[1], {
    name: "mid",
    shape,
    runs: [
      { number: 1, agent: "demo", session_id: null },
      { number: 2, agent: "other", session_id: session },
    ],
    kept: 2,
  });
  assert.ok(first.next !== null);
  const rest = await operations.listRaces({ limit: 3, after: first.next });
  assert.deepEqual(
    rest.races.map(({ name }) => name),
    ["old"],
  );
  assert.equal(rest.next, null);
  assert.equal(looks, 0);
  await runtime.close();
});
