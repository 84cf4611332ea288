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
    carried_out: false,
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

test("[RAC-20] what is kept as the number of a run counts only where there is such a run", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const { operations } = runtime;
  const kept = ["2", "", "0", "3", "1.5", "-1", "1e0", "1e999", "yes"];
  const counted: (number | null)[] = [];
  for (const [index, value] of kept.entries()) {
    await operations.agree(`race.r${index}`, JSON.stringify(shape));
    await operations.agree(`race-kept.r${index}`, value);
    counted.push((await operations.showRace(`r${index}`)).kept);
  }
  assert.deepEqual(counted, [2, ...kept.slice(1).map(() => null)]);
  await runtime.close();
});

test("[RAC-29] a race says whether the runs that were not kept went to the trash", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const { operations } = runtime;
  const said = async () => {
    const { kept, carried_out } = await operations.showRace("lap");
    return { kept, carried_out };
  };
  await operations.agree("race.lap", JSON.stringify(shape));
  // A value that nobody decided by counts for nothing.
  await operations.agree("race-trashed.lap", "yes");
  assert.deepEqual(await said(), { kept: null, carried_out: false });
  await operations.agree("race-kept.lap", "1");
  assert.deepEqual(await said(), { kept: 1, carried_out: true });
  await operations.agree("race.cut", JSON.stringify(shape));
  await operations.agree("race-kept.cut", "1");
  const { kept, carried_out } = await operations.showRace("cut");
  assert.deepEqual({ kept, carried_out }, { kept: 1, carried_out: false });
  await runtime.close();
});

test("[RAC-27] [RAC-28] one race is shown as it is listed, and the runs of what names too many are not read", async () => {
  const store = memoryStore();
  const read: string[] = [];
  const runtime = await house(fakeExecutors(new FakePlace()), {
    store: {
      ...store,
      receipt: (scope, key) => {
        read.push(key);
        return store.receipt(scope, key);
      },
    },
  });
  const { operations } = runtime;
  const session = id("ses");
  const agents = Array.from({ length: 1_000 }, () => "demo");
  await operations.agree("race.two", JSON.stringify(shape));
  await operations.agree("race-run.1.two", session);
  await operations.agree("race.many", JSON.stringify({ ...shape, agents }));
  read.length = 0;
  const { races } = await operations.listRaces({ limit: 20 });
  assert.deepEqual(read.toSorted(), [
    "race-kept.two",
    "race-run.1.two",
    "race-run.2.two",
    "race.many",
    "race.two",
  ]);
  const race = await operations.showRace("two");
  assert.deepEqual(races, [race]);
  assert.equal(race.runs[0]?.session_id, session);
  for (const name of ["many", "none"])
    await assert.rejects(operations.showRace(name), { code: "not_found" });
  await runtime.close();
});
