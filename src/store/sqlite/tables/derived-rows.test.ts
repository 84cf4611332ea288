import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../../contract/base/id.ts";
import { LOCAL } from "../../../contract/base/place.ts";
import type { Derivation, Store } from "../../../runtime/ports/store.ts";
import { refused } from "../../fixtures/conformance/rule.ts";
import {
  append,
  asked,
  at,
  executorRow,
  promptId,
  queued,
  sessionId,
  sessionView,
} from "../../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { spoil } from "../fixtures/spoil.ts";

const one = sessionId(1);
const here = { place: LOCAL, path: "/here" };
const prompt = promptId(1);
const permission = permissionId(1, 10);

/** The rows that follow from the journal below, as a test knows them. */
const rows = () => ({
  view: sessionView(one, { cwd: "/here", last_active_at: at(2), last_seq: 2 }),
  executor: executorRow(one),
  attention: { live: true, due_at: at(5) },
  prompts: [{ id: prompt, state: "queued" as const, turn: null, seq: 1 }],
  permissions: [
    {
      id: permission,
      state: "pending" as const,
      option_id: null,
      reason: null,
      seq: 2,
    },
  ],
  news: false,
});

const derive = (): Derivation => ({
  add: () => undefined,
  derived: rows,
});

/** What is served of it besides its events. */
const served = async (store: Store) => ({
  session: await store.session(one),
  listed: (await store.sessions({ limit: 10, cwd: here })).sessions,
  prompt: await store.prompt(one, prompt),
  permission: await store.permission(one, permission),
  executors: await store.executors(),
  live: await store.live(null, 10),
  due: await store.due(at(9), null, 10),
});

const damages = [
  "UPDATE sessions SET view = replace(view, 'demo', 'dema')",
  "UPDATE sessions SET last_seq = 3",
  "UPDATE sessions SET head = 'AAAAAAAAAAA'",
  "UPDATE sessions SET last_active_at = '2026-01-01T00:00:09.000Z'",
  "UPDATE sessions SET damaged_from = 1",
  "UPDATE sessions SET place = 'remote/far'",
  "UPDATE sessions SET checksum = 'AAAAAAAAAAA'",
  "UPDATE prompts SET state = 'done'",
  "UPDATE prompts SET seq = 2",
  "UPDATE permissions SET state = 'answered', option_id = 'yes'",
  "UPDATE executors_running SET status = 'stopped'",
  "UPDATE executors_running SET pid = 43",
];

for (const sql of damages)
  void test(`[STO-4] a damaged row is made again from the journal: ${sql}`, async (t) => {
    const path = databasePath(t);
    const store = await openAt(path, { derive });
    const term = await store.claim();
    const events = [queued(one, 1, prompt, "hello"), asked(one, 2, permission)];
    await store.append(append(term, one, 0, 0, { events, ...rows() }));
    const before = await served(store);
    assert.equal(before.listed.length, 1);
    assert.equal(before.prompt?.text, "hello");
    assert.equal(before.permission?.title, "May I?");
    assert.equal(spoil(path, sql), 1);
    assert.deepEqual(await served(store), before);
    // For good, not only for this answer.
    const withoutHelp = await openAt(path);
    assert.deepEqual(await served(withoutHelp), before);
    await store.append(append(term, one, 2));
  });

void test("[STO-4] an append does not take a damaged row for the work of another server", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  await store.append(append(term, one, 0, 5));
  for (const sql of [
    "UPDATE sessions SET last_seq = 4",
    "UPDATE sessions SET head = 'AAAAAAAAAAA'",
    "UPDATE sessions SET damaged_from = 2",
  ]) {
    const after = (await store.events(one, 0, 100)).length;
    spoil(path, sql);
    await store.append(append(term, one, after));
    assert.equal((await store.session(one))?.last_seq, after + 1);
    assert.equal((await store.events(one, 0, 100)).length, after + 1);
  }
});

void test("[STO-4] a change to a damaged row does not make it look sound", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path, { derive });
  const term = await store.claim();
  const events = [queued(one, 1, prompt, "hello"), asked(one, 2, permission)];
  await store.append(append(term, one, 0, 0, { events, ...rows() }));
  spoil(path, "UPDATE prompts SET seq = 2");
  spoil(path, "UPDATE permissions SET seq = 1");
  await store.append(
    append(term, one, 2, 1, {
      prompts: [{ id: prompt, state: "running", turn: 1 }],
      permissions: [
        { id: permission, state: "answered", option_id: "yes", reason: null },
      ],
    }),
  );
  assert.equal((await store.prompt(one, prompt))?.text, "hello");
  assert.equal((await store.permission(one, permission))?.title, "May I?");
});

void test("[STO-4] a damaged row that cannot be made again is refused, and the others are listed without it", async (t) => {
  const path = databasePath(t);
  const told: string[] = [];
  const store = await openAt(path, { onDamage: (words) => told.push(words) });
  const term = await store.claim();
  await store.append(append(term, one, 0));
  await store.append(append(term, sessionId(2), 0));
  spoil(
    path,
    "UPDATE sessions SET view = replace(view, 'demo', 'dema') WHERE id = ?",
    one,
  );
  await refused(store.session(one), "storage_damaged");
  const { sessions } = await store.sessions({ limit: 10 });
  assert.deepEqual(
    sessions.map(({ id }) => id),
    [sessionId(2)],
  );
  assert.match(told.join("\n"), new RegExp(`sessions cannot be read.*${one}`));
});
