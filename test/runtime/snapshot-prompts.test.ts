/** A server that starts from a snapshot which only names the prompts that wait: over a real database. */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { derivation } from "../../src/session/view/derive.ts";
import { STATE_VERSION } from "../../src/session/state/state.ts";
import { spoil } from "../../src/store/sqlite/fixtures/spoil.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { house, problems, request, root, until } from "./house.ts";

test("[STO-40] [STO-2] a damaged event that a snapshot names damages its session, and no other", async (t) => {
  const { path, open } = await database(t);
  const place = new FakePlace();
  const [bad, good] = await waiting(place, await open());
  const sql =
    "UPDATE events SET body = replace(body, 'third', 'thurd') WHERE session_id = ? AND type = 'session.prompt.queued' AND body LIKE '%third%'";
  assert.equal(spoil(path, sql, bad), 1);

  const runtime = await house(fakeExecutors(place), { store: await open() });
  await assert.rejects(runtime.operations.queuePrompt(bad, { text: "x" }), {
    code: "session_damaged",
  });
  assert.notEqual(
    (await runtime.operations.showSession(bad)).damaged_from,
    null,
  );
  assert.deepEqual(await texts(runtime, good), ["third", "fourth"]);
  await runtime.close();
  problems.length = 0;
});

test("[STO-40] [REC-16] a snapshot of an older release is passed over: its texts come from the journal", async (t) => {
  const { path, open } = await database(t);
  const place = new FakePlace();
  const [session] = await waiting(place, await open());
  const sql = "UPDATE snapshots SET version = ?";
  assert.equal(spoil(path, sql, STATE_VERSION - 1), 2);

  const runtime = await house(fakeExecutors(place), { store: await open() });
  await runtime.operations.queuePrompt(session, { text: "fifth" });
  assert.deepEqual(await texts(runtime, session), ["third", "fourth", "fifth"]);
  await runtime.close();
});

/** Two sessions in their second turn, with two prompts behind it, as a server leaves them. */
const waiting = async (
  place: FakePlace,
  store: Store,
): Promise<[SessionId, SessionId]> => {
  const runtime = await house(fakeExecutors(place), { store });
  let endFirst = (): void => undefined;
  place.onPrompt = ({ prompt_id }, agent) => {
    endFirst = () => agent.endTurn(prompt_id);
  };
  const one = async (): Promise<SessionId> => {
    const { operations } = runtime;
    const { id } = await operations.createSession(request({ prompt: "first" }));
    await until(runtime, id, ({ type }) => type === "session.prompt.delivered");
    for (const text of ["second", "third", "fourth"])
      await operations.queuePrompt(id, { text });
    endFirst();
    await until(runtime, id, inSecondTurn);
    return id;
  };
  const sessions: [SessionId, SessionId] = [await one(), await one()];
  await runtime.close();
  return sessions;
};

const inSecondTurn = (event: Event): boolean =>
  event.type === "session.turn.started" && event.data.turn === 2;

const texts = async (
  { operations }: Awaited<ReturnType<typeof house>>,
  session: SessionId,
): Promise<string[]> =>
  (await operations.showSession(session)).queued_prompts.map(
    ({ text }) => text,
  );

const database = async (t: TestContext) => {
  const path = join(await mkdtemp(join(root, "db-")), "reprise.db");
  const stores: Store[] = [];
  t.after(() => Promise.all(stores.map((store) => store.close())));
  return {
    path,
    open: async (): Promise<Store> => {
      const store = await openSqliteStore({ path, derive: derivation });
      stores.push(store);
      return store;
    },
  };
};
