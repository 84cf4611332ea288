/** What is written with every append does not grow with what waits in a session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, turnEnded, until } from "./house.ts";

const QUEUED = 100;
const TEXT = "words ".repeat(10_000);
/** Twice what a session without anything long takes, and 8 KiB for the prompts that a list shows. */
const MAX_ROW = 12 * 1024;

/** The agent has spoken so often. */
const spoken = (times: number) => {
  let seen = 0;
  return ({ type }: Event) => {
    if (/^session\.message\.(added|updated)$/.test(type)) seen += 1;
    // The user's own message is the first.
    return seen > times;
  };
};

test("[STO-9] [API-105] a hundred prompts of 60 KB wait, and the row of each append stays small", async () => {
  const place = new FakePlace();
  const rows: number[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    append(change) {
      rows.push(JSON.stringify(change.view).length);
      return inner.append(change);
    },
  };
  const first = await house(fakeExecutors(place), { store });
  let speak = (): void => undefined;
  place.onPrompt = (_, agent) => {
    speak = () => agent.say("a few words");
  };
  const { id } = await first.operations.createSession(
    request({ prompt: "begin" }),
  );
  await until(first, id, ({ type }) => type === "session.prompt.delivered");
  for (let n = 1; n <= QUEUED; n += 1)
    await first.operations.queuePrompt(id, { text: `${n} ${TEXT}` });
  rows.length = 0;
  for (let times = 1; times <= 10; times += 1) {
    speak();
    await until(first, id, spoken(times));
  }
  assert.ok(rows.length >= 10, `${rows.length} appends`);
  assert.ok(Math.max(...rows) <= MAX_ROW, `${Math.max(...rows)} characters`);

  const { sessions } = await first.operations.listSessions({ limit: 10 });
  assert.deepEqual(sessions[0]?.shortened, ["queued_prompts"]);
  const lengths = async ({ operations }: typeof first) =>
    (await operations.showSession(id)).queued_prompts.map(
      ({ text }) => text.length,
    );
  const whole = Array.from(
    { length: QUEUED },
    (_, n) => `${n + 1} ${TEXT}`.length,
  );
  assert.deepEqual(await lengths(first), whole);
  await first.close();
  const second = await house(fakeExecutors(place), { store });
  assert.deepEqual(await lengths(second), whole);
  await second.close();
});

test("[STO-40] the snapshot at the end of a turn names the prompts that wait, and the next server delivers their texts", async () => {
  const place = new FakePlace();
  const snapshots: string[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    append(change) {
      if (change.snapshot !== null) snapshots.push(change.snapshot.state);
      return inner.append(change);
    },
  };
  const first = await house(fakeExecutors(place), { store });
  let answer = (): void => undefined;
  place.onPrompt = ({ prompt_id }, agent) => {
    answer = () => agent.endTurn(prompt_id);
  };
  const { id } = await first.operations.createSession(
    request({ prompt: "begin" }),
  );
  await until(first, id, ({ type }) => type === "session.prompt.delivered");
  for (const text of ["second", "third", "fourth"])
    await first.operations.queuePrompt(id, { text: `${text} ${TEXT}` });
  answer();
  await until(first, id, turnEnded(1));
  const newest = snapshots.at(-1) ?? "";
  assert.ok(
    newest.length > 0 && newest.length < 12 * 1024,
    newest.slice(0, 99),
  );
  await first.close();

  const second = await house(fakeExecutors(place), { store });
  const { queued_prompts } = await second.operations.showSession(id);
  assert.deepEqual(
    queued_prompts.map(({ text }) => text),
    [`third ${TEXT}`, `fourth ${TEXT}`],
  );
  await second.close();
});
